/// A row of an entity that has no Swift type: its values by attribute name.
///
/// ```swift
/// let zones = try factory.runtimeDAO("zone")
/// let zone = try zones.findFirst(.where { $0.name == "Europe/Bratislava" })
/// zone?["standardOffset"]      // Scalar.integer(3600)
/// ```
@dynamicMemberLookup
public struct DynamicEntity: Entity {
  /// The entity that the row is of.
  public let entity: EntityDescription
  /// The values, in the order of the entity's attributes.
  public private(set) var values: [Scalar]
  /// The rows of relationships that were fetched along.
  var fetched: [String: [DynamicEntity]] = [:]
  /// How the row was reached, where it was fetched along itself.
  var path: FetchPath?
  /// Names that the entity does not have, and that values were set for.
  private var refused: [String] = []

  /// A row of an entity; attributes that are not named take their default, else nil.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every name that the entity does not have.
  public init(_ entity: EntityDescription, _ values: [String: Scalar]) throws {
    let unknown = values.keys.filter { entity[$0] == nil }.sorted()
    guard unknown.isEmpty else { throw Self.unknown(unknown, of: entity) }
    self.entity = entity
    self.values = entity.attributes.map { values[$0.name] ?? $0.defaultValue ?? .null }
  }

  /// The value of an attribute; nil where the entity has none of this name.
  ///
  /// A subscript can't throw where it sets: a value that is set for a name that the entity does not have is refused when the row is
  /// written, with every such name (``DAOError/invalidCriteria(entity:problems:)``). ``set(_:to:)`` refuses it at once.
  public subscript(attribute: String) -> Scalar? {
    get { entity.position(of: attribute).map { values[$0] } }
    set {
      guard let position = entity.position(of: attribute) else { return refused.append(attribute) }
      values[position] = newValue ?? .null
    }
  }

  /// Sets the value of an attribute.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` where the entity has none of this name.
  public mutating func set(_ attribute: String, to value: Scalar?) throws {
    guard let position = entity.position(of: attribute) else { throw Self.unknown([attribute], of: entity) }
    values[position] = value ?? .null
  }

  private static func unknown(_ names: [String], of entity: EntityDescription) -> DAOError {
    .invalidCriteria(entity: entity.name, problems: names.map { DAOError.CriteriaProblem(unknownAttribute: $0, of: entity) })
  }

  /// The value of an attribute, as ``subscript(_:)``.
  public subscript(dynamicMember attribute: String) -> Scalar? {
    get { self[attribute] }
    set { self[attribute] = newValue }
  }

  // MARK: Entity

  /// No entity: the entity of a dynamic row is known at run time only. A DAO for it comes from `factory.runtimeDAO("name")`.
  public static let entityDescription = EntityDescription("DynamicEntity", key: .assigned([]), attributes: [])

  /// Fields by any name.
  @dynamicMemberLookup
  public struct Fields: EntityFields {
    private let path: FieldPath

    /// The fields that are reached by `path`.
    public init(path: FieldPath) { self.path = path }

    /// The field of this name.
    public subscript(name: String) -> Field<Scalar> { Field(.field(path.first.isEmpty ? FieldPath(name) : path.appending(name))) }

    /// The field of this name.
    public subscript(dynamicMember name: String) -> Field<Scalar> { self[name] }
  }

  /// The values of the key's attributes, in the key's order; nil where one has yet to be generated.
  public var primaryKey: [Scalar]? {
    let key = entity.key.attributes.compactMap { self[$0] }
    return key.contains(.null) ? nil : key
  }

  /// Reads every attribute.
  public init(row: inout RowReader) throws {
    guard let entity = row.entity else { throw row.failed(ValueProblem("can't be read into a dynamic row without its entity")) }
    self.entity = entity
    path = row.path
    values = []
    values.reserveCapacity(entity.attributes.count)
    for _ in entity.attributes { values.append(try row.takeScalar()) }
  }

  /// Writes every attribute.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` where a value was set for a name that the entity does not have.
  public func write(to row: inout ColumnWriter) throws {
    if !refused.isEmpty { throw Self.unknown(refused, of: entity) }
    for value in values { try row.putScalar(value) }
  }

  /// Takes the key that the store generated.
  public mutating func setGeneratedKey(_ key: Int64) {
    if case .generated(let name) = entity.key { self[name] = .integer(key) }
  }

  /// Counts the version on, if the entity has one.
  public mutating func raiseVersion() {
    if let position = entity.versionPosition, case .integer(let version) = values[position] {
      values[position] = .integer(version.nextVersion)
    }
  }
}

extension DynamicEntity: Hashable {
  /// Equality of entity and values. Rows that were fetched along are no part of them.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.entity == rhs.entity && lhs.values == rhs.values }

  /// Feeds entity and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(values)
  }
}

extension DynamicEntity: CustomStringConvertible {
  /// The entity's name and the values by attribute: `zone(id: 1, name: "Europe/Prague")`.
  public var description: String {
    "\(entity.name)(\(zip(entity.attributes, values).map { "\($0.name): \($1)" }.joined(separator: ", ")))"
  }
}

extension DAOError.CriteriaProblem {
  /// A name that the entity does not have, reached by a path that is the name itself where the criteria name the entity.
  public init(unknownAttribute name: String, of entity: EntityDescription, at path: String? = nil) {
    self.init(
      path: path ?? name, message: "\(entity.name) has no attribute '\(name)'",
      suggestion: Nearest.name(to: name, among: entity.attributes.map(\.name)))
  }
}
