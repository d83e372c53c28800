import DAOCriteria

/// A connection's cached knowledge of a store's schema. All of it is discarded when the schema changes, whoever changes it.
struct SchemaNotes {
  private var mark: SchemaMark?
  private var rules: [SchemaName: TableRules] = [:]
  // An entity is kept, so that no other gets its identity.
  private var fitting: [ObjectIdentifier: EntityDescription] = [:]

  /// Discards facts about another state of the schema.
  mutating func keep(only current: SchemaMark) { if mark != current { self = SchemaNotes(mark: current) } }

  init() {}

  private init(mark: SchemaMark) { self.mark = mark }

  /// The rules of a table; nil before they are noted.
  subscript(name: SchemaName) -> TableRules? {
    get { rules[name] }
    set { rules[name] = newValue }
  }

  /// Whether an entity's attributes were compared with the columns.
  func contains(_ entity: EntityDescription) -> Bool { fitting[ObjectIdentifier(entity)] != nil }

  /// Notes an entity that fits.
  mutating func add(_ entity: EntityDescription) {
    // The entities of an app that describes them again with each call are compared again.
    if fitting.count > 1000 { fitting = [:] }
    fitting[ObjectIdentifier(entity)] = entity
  }
}

extension Connection {
  /// Reads the rules of a table, or returns those known since the schema changed last.
  package func knownRules(of table: String, _ read: () throws -> TableRules) throws -> TableRules {
    statements.notes.keep(only: try schemaMark())
    let name = SchemaName(table)
    if let known = statements.notes[name] { return known }
    let rules = try read()
    statements.notes[name] = rules
    return rules
  }
}
