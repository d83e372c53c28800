/// What a criteria in JSON may speak of. What is not allowed is reported as if it were not there.
///
/// ```swift
/// let list = CriteriaAllowList(
///   ["zone": ["name", "standardOffset", "country"], "country": ["name"]], functions: [.lower], aggregates: [.count])
/// let decoder = CriteriaDecoder(allowing: list)
/// ```
///
/// Here `country.name` is allowed and `country.code` is not; a relationship takes its name, and an entity at its other end that is allowed
/// something. A search of all searchable attributes takes the names of all of them.
public struct CriteriaAllowList: Sendable, Hashable {
  /// The attributes and relationships of each entity; nil stands for all of all entities.
  public var names: [String: Set<String>]?
  /// The functions.
  public var functions: Set<Function>
  /// The aggregates, those over relationships too.
  public var aggregates: Set<Aggregate>

  /// What the entities' descriptions have, and every function and aggregate.
  public static let everything = CriteriaAllowList()

  /// A list of names by entity, of functions and of aggregates; all of what is left out.
  public init(
    _ names: [String: Set<String>]? = nil, functions: Set<Function> = Set(Function.allCases),
    aggregates: Set<Aggregate> = Set(Aggregate.allCases)
  ) {
    self.names = names
    self.functions = functions
    self.aggregates = aggregates
  }

  func allows(_ entity: EntityDescription) -> Bool { names.map { $0[entity.name] != nil } ?? true }

  func allows(_ name: String, of entity: EntityDescription) -> Bool { names.map { $0[entity.name]?.contains(name) ?? false } ?? true }
}
