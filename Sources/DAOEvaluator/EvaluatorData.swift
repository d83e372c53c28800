import DAOCriteria
import DAOSchema
import DAOWaiting

/// The tables of an evaluator store, and the turns that threads take with them.
final class EvaluatorData: @unchecked Sendable {
  /// The entities by the names of tables and columns.
  let entities: [EntityDescription]
  private let tables: [SchemaName: EvaluatorTable]
  /// The line of those who want to read or write. Its one place guards the tables' rows.
  let line = CallLine(places: 1, "the store", stallTimeout: .seconds(30))
  // Guarded by the place too: what was there before each change of the transaction.
  private var undo: [(table: EvaluatorTable, place: Int, row: StoredRow?)] = []
  private var depth = 0
  /// The consumers that follow the store's commits.
  let feed = ChangeFeed()

  init(_ entities: [EntityDescription]) throws {
    var tables: [SchemaName: EvaluatorTable] = [:]
    var unique: [EntityDescription] = []
    for entity in entities where !unique.contains(entity) {
      unique.append(entity)
      if entity.isReadOnly { continue }
      if let other = tables.updateValue(EvaluatorTable(entity), forKey: SchemaName(entity.table))?.entity {
        throw DAOError.unsupported("the evaluator has one entity for a table; \(other.name) and \(entity.name) share \"\(entity.table)\"")
      }
    }
    try EntityDescription.checkMaking(of: unique.filter { !$0.isReadOnly }, asSQL: false)
    for entity in unique { try tables[SchemaName(entity.table)]?.join(tables) }
    self.tables = tables
    let schema = try StoreSchema(of: unique)
    self.entities = schema.tables.compactMap { schema.description(of: $0.name) }
  }

  deinit { feed.finish() }

  /// The table of an entity.
  func table(of entity: EntityDescription) throws -> EvaluatorTable {
    if entity.isReadOnly { throw DAOError.unsupported("the evaluator can't read \(entity.name): only SQL has views") }
    guard let table = tables[SchemaName(entity.table)] else {
      let known = tables.values.map(\.entity.name).sorted()
      throw DAOError.unknownEntity(name: entity.name, known: known, nearest: Nearest.name(to: entity.name, among: known))
    }
    guard table.entity === entity || table.entity.attributes.map(\.column) == entity.attributes.map(\.column) else {
      throw DAOError.unsupported("the evaluator reads whole rows of \"\(entity.table)\"; \(entity.name) has other columns")
    }
    return table
  }

  /// Finds which foreign key a write has broken, by the same rules as over SQL.
  func foreignKeyNaming() throws -> ForeignKeyNaming {
    let questions = ForeignKeyNaming.Questions { [tables] columns, table, matching, values in
      guard let table = tables[SchemaName(table)] else { return [] }
      let wanted = table.entity.positions(ofColumns: columns)
      return table.places(where: table.entity.positions(ofColumns: matching), are: values).prefix(2).compactMap { place in
        table.rows.places[place].map { row in wanted.map { row[$0] } }
      }
    } arePointing: { [self] pointer, table, matching, values in
      guard let table = tables[SchemaName(table)] else { return false }
      return try pointsToDeleted(
        pointer, table.places(where: table.entity.positions(ofColumns: matching), are: values), of: table.entity)
    }
    return ForeignKeyNaming(try StoreSchema(of: tables.values.map(\.entity)), questions)
  }

  /// Whether rows that stay point to those at some places, which were to be deleted.
  func pointsToDeleted(_ pointer: KeyedWrite.Pointer, _ places: [Int], of entity: EntityDescription) throws -> Bool {
    guard let other = tables[SchemaName(pointer.table)] else { return false }
    let table = try table(of: entity)
    let columns = other.entity.positions(ofColumns: pointer.columns)
    let target = table.entity.positions(ofColumns: pointer.target)
    let deleted = Set(places)
    return places.contains { place in
      guard let row = table.rows.places[place] else { return false }
      let types = target.map { table.entity.types[$0] }
      return other.rows.places(where: columns, are: target.map { row[$0] }, as: types).contains { other !== table || !deleted.contains($0) }
    }
  }

  // MARK: Turns and transactions

  /// Runs a body when no other thread is inside; refuses one that is inside already.
  func turn<Result>(
    _ activity: ConnectionHolder.Activity, refusing misuse: @autoclosure () -> DAOError, _ body: () throws -> Result
  ) throws -> Result {
    if ThreadMarker.isInside(self) { throw misuse() }
    return try line.run(activity, by: TimeLimit.scoped) { try ThreadMarker.entering(self, body) }
  }

  /// Runs a body, and puts everything back that it wrote when it throws.
  func atomic<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = undo.count
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { undo = [] }
    }
    do {
      let result = try body()
      if depth == 1 { report() }
      return result
    } catch {
      while undo.count > mark, let change = undo.popLast() { change.table.rows.put(change.row, at: change.place) }
      throw error
    }
  }

  /// Reports what the transaction has changed.
  private func report() {
    guard !undo.isEmpty else { return }
    let audience = feed.audience
    guard let interest = audience.interest else { return }
    let changes = RowChange.changes(undo)
    let rows = interest.entities.compactMap { ChangedRows(RowChange.noted(changes, of: $0), of: $0) }
    feed.publish(rows, for: audience, mayHaveMissed: true)
  }

  /// Puts a row into a place; nil empties it.
  /// - Returns: the row that was there.
  @discardableResult
  func put(_ row: StoredRow?, at place: Int, of table: EvaluatorTable) -> StoredRow? {
    let before = table.rows.put(row, at: place)
    undo.append((table, place, before))
    return before
  }
}

extension EntityDescription {
  fileprivate func positions(ofColumns names: [String]) -> [Int] {
    names.compactMap { name in attributes.firstIndex { SchemaName.same($0.column, name) } }
  }
}
