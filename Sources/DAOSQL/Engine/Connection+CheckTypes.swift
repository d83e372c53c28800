import DAOCriteria
import DAOSchema

extension Connection {
  /// Compares an entity's attributes with the declared types of their columns, and texts with their collations, unless that was done since
  /// the schema changed last. A value of another form may be read as one of the attribute's without a word: 18 in a column of `NUMERIC` is
  /// no 0.18.
  ///
  /// It is called for a new statement, after its compilation; before rows are written; and after a statement that SQLite has compiled again
  /// by itself, which it does whenever the schema has changed. Queries that are kept therefore take no further statement.
  /// - Parameter reached: the entities that relationships lead to.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each attribute whose column means something else.
  func checkTypes(of entity: EntityDescription, _ reached: [EntityDescription] = []) throws {
    let mark = try schemaMark()
    statements.notes.keep(only: mark)
    try checkTypes(of: entity, at: mark)
    for entity in reached { try checkTypes(of: entity, at: mark) }
  }

  private func checkTypes(of entity: EntityDescription, at mark: SchemaMark) throws {
    if statements.notes.contains(entity) || statements.checked.wasOpened(with: entity, version: mark.version) { return }
    // Statements compiled from here on see the current types.
    try refreshSchema()
    let found = try columns(of: entity.attributes, in: entity.table)
    try entity.check(found, isOnlyRead: entity.isReadOnly)
    // A missing table or column is an error of the statements that name it.
    statements.notes.add(entity)
    if found.count == entity.attributes.count { statements.checked.add(entity) }
  }

  /// The columns that there are, as far as they are declared.
  private func columns(of attributes: [Attribute], in table: String) throws -> [(Attribute, StoreSchema.Column)] {
    let names = attributes.map(\.column.quotedIdentifier).joined(separator: ", ")
    do {
      let statement = try asking(\.isOfStatement) { try prepare("SELECT \(names) FROM \(table.quotedIdentifier)") }
      return try zip(attributes, statement.columns).map { attribute, column in
        // A view's columns have no collation that could be asked for.
        let collation = attribute.type.isString ? try collation(of: attribute.column, in: table) : nil
        return (
          attribute,
          StoreSchema.Column(
            name: attribute.column, declaredType: column.declaredType, collation: collation ?? attribute.type.collation)
        )
      }
    } catch let error as DAOError where error.isOfStatement {
      return try attributes.count == 1 ? [] : attributes.flatMap { try columns(of: [$0], in: table) }
    }
  }

  /// The error that names the columns that an entity lacks, or that have another meaning, if a statement failed because of them; nil where
  /// it failed for another reason.
  /// - Parameter isUnchecked: whether the statement was compiled again, so that a value that can't be read or stored may stand in a column
  ///   of another type than before.
  func mismatch(
    behind error: any Error, of entity: EntityDescription, _ reached: [EntityDescription], isUnchecked: Bool = false
  ) -> DAOError? {
    let refusal: String?
    switch error {
    case DAOError.engine(let failure) where (error as? DAOError)?.isOfStatement == true: refusal = failure.message
    // An error with another cause (a limit, a lock, the caller's closure) is passed on unchanged.
    case is RowProblem, is ColumnProblem, DAOError.engine, DAOError.constraint, DAOError.undecodable:
      guard isUnchecked else { return nil }
      refusal = nil
    default: return nil
    }
    do {
      try refreshSchema()
      for entity in [entity] + reached {
        let found = try columns(of: entity.attributes, in: entity.table)
        try entity.check(found, isOnlyRead: entity.isReadOnly)
        let missing = entity.attributes.filter { attribute in !found.contains { $0.0.name == attribute.name } }
        // SQLite says "no such column: amount", or "table price has no column named amount".
        if let refusal, refusal.contains("column"), missing.contains(where: { refusal.contains($0.column) }) {
          return entity.mismatch(missing.map { .noColumn($0) })
        }
      }
    } catch let error as DAOError {
      if case .schemaMismatch = error { return error }
    } catch {}
    return nil
  }
}

extension EntityDescription {
  /// Compares attributes with their columns' declared types, and texts with their collations. Those of an app's own are no difference: a
  /// dynamic entity has such columns as texts, whatever their order.
  func check(_ attributes: [(Attribute, StoreSchema.Column)], isOnlyRead: Bool) throws {
    let differences = attributes.compactMap { attribute, column -> EntityDifference? in
      if !attribute.fits(declared: column.declaredType, isOnlyRead: isOnlyRead) { return .type(attribute, column) }
      guard attribute.type.isString, StoreSchema.Column.collationsOfSQLite.contains(column.collation) else { return nil }
      return attribute.type.compares(by: column.collation) ? nil : .collation(attribute, column)
    }
    guard differences.isEmpty else { throw mismatch(differences) }
  }

  fileprivate func mismatch(_ differences: [EntityDifference]) -> DAOError {
    DAOError.schemaMismatch(
      store: "of \(table)", differences: differences.map { $0.described(of: self, in: StoreSchema(tables: [])) })
  }
}

extension DAOError {
  /// Whether a statement can't be run as it is, by SQLite's code for what has no other: a column is missing, say.
  fileprivate var isOfStatement: Bool { if case .engine(let failure) = self { failure.code & 0xFF == 1 } else { false } }
}
