extension CriteriaDecoder {
  /// The names and functions that a query in JSON may use. Anything not allowed is reported as if it did not exist.
  ///
  /// ```swift
  /// let list = CriteriaDecoder.AllowList(
  ///   ["zone": ["name", "standardOffset", "country"], "country": ["name"]], functions: [.lower], aggregates: [.count])
  /// let decoder = CriteriaDecoder(allowing: list)
  /// ```
  ///
  /// Here `country.name` is allowed and `country.code` is not; a relationship needs its name on the list, and at least one name of the
  /// entity at its other end. A search of all searchable attributes needs the names of all of them.
  ///
  /// A relationship bypasses ``DAO/scope``: it leads to all rows of the other entity, and there and back to all of the same one. If some
  /// rows are hidden from the sender of the criteria, allow no relationship that leads to them, or restrict them in ``visible``.
  public struct AllowList: Sendable, Hashable {
    /// The attributes and relationships of each entity; nil allows all attributes of all entities, and no relationship.
    public var names: [String: Set<String>]?
    /// The functions.
    public var functions: Set<Function>
    /// The aggregates, those over relationships too.
    public var aggregates: Set<Aggregate.Kind>
    /// A condition for the rows of an entity to which relationships lead; without it they lead to all.
    ///
    /// ```swift
    /// list.visible["zone"] = zones.target.scope         // what the DAO lets be seen
    /// ```
    ///
    /// It is and-ed into `some` and into aggregates over a relationship. Parts that it can't be and-ed into are refused: an attribute at
    /// the end of a relationship to these rows, a path over several relationships other than in `some`, and prefetching. The entity that
    /// the criteria are of has the DAO's scope.
    public var visible: [String: Criteria.Condition]
    // Whether every relationship is allowed where no names are given.
    private var allowsRelationships = false

    /// Everything in the entities' descriptions, relationships included, and every function and aggregate: for trusted criteria.
    public static let everything: CriteriaDecoder.AllowList = {
      var list = CriteriaDecoder.AllowList()
      list.allowsRelationships = true
      return list
    }()

    /// All attributes of the entities, no relationship, and every function and aggregate.
    public static let attributes = CriteriaDecoder.AllowList()

    /// A list of names by entity, of functions and of aggregates; where left out, all attributes and no relationship, all functions, all
    /// aggregates.
    public init(
      _ names: [String: Set<String>]? = nil, functions: Set<Function> = Set(Function.allCases),
      aggregates: Set<Aggregate.Kind> = Set(Aggregate.Kind.allCases), visible: [String: Criteria.Condition] = [:]
    ) {
      self.names = names
      self.functions = functions
      self.aggregates = aggregates
      self.visible = visible
    }

    func allows(_ entity: EntityDescription) -> Bool { names.map { $0[entity.name]?.isEmpty == false } ?? true }

    func allows(_ attribute: Attribute, of entity: EntityDescription) -> Bool { allows(attribute.name, of: entity) ?? true }

    func allows(_ relationship: Relationship, of entity: EntityDescription) -> Bool {
      allows(relationship.name, of: entity) ?? allowsRelationships
    }

    /// Whether a name is on the list; nil where there is none.
    private func allows(_ name: String, of entity: EntityDescription) -> Bool? {
      names.map { $0[entity.name]?.contains(name) == true }
    }
  }
}
