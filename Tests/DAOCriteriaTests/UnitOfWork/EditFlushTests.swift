import Testing

@testable import DAOCriteria

/// The order in which a commit writes, over rows in an array: what it costs in writes.
@Suite("The order of a commit's writes")
struct EditFlushTests {
  /// Rows that are told apart by unique values, and written without cascades.
  private final class Rows: EditWriter {
    private(set) var rows: [[StoredValue]: [StoredValue]] = [:]
    private var taken: [[Int]: Set<[StoredValue]>] = [:]
    var count = 0

    init(_ rows: [[StoredValue]], of table: EditedTable) { for row in rows { put(row, of: table) } }

    private func put(_ row: [StoredValue], of table: EditedTable) {
      rows[table.key(of: row)] = row
      for columns in table.uniques { taken[columns, default: []].insert(columns.map { row[$0] }) }
    }

    private func remove(_ row: [StoredValue], of table: EditedTable) {
      rows[table.key(of: row)] = nil
      for columns in table.uniques { taken[columns]?.remove(columns.map { row[$0] }) }
    }

    func row(_ key: [StoredValue], of table: EditedTable) -> [StoredValue]? { rows[key] }
    func reserveKeys(_ count: Int, of table: EditedTable) -> Int64 { 1 }
    func deferForeignKeys() {}
    func named(_ error: DAOError, of write: EditWrite) -> DAOError { error }

    func write(_ write: EditWrite) -> DAOError? {
      count += 1
      let (table, before) = (write.table, write.before.flatMap { rows[write.table.key(of: $0)] })
      if let before { remove(before, of: table) }
      guard let after = write.after else { return nil }
      if table.uniques.contains(where: { columns in taken[columns]?.contains(columns.map { after[$0] }) == true }) {
        if let before { put(before, of: table) }
        return .constraint(.unique, entity: table.name, attributes: [], message: "taken")
      }
      put(after, of: table)
      return nil
    }
  }

  private static func table(_ references: [EditedTable.Reference] = []) -> EditedTable {
    EditedTable(
      name: "t", columns: ["id", "place", "p", "q"], collations: ["BINARY", "BINARY", "BINARY", "BINARY"], numeric: [], key: [0],
      generatedKey: nil, uniques: [[1]], required: [0, 1], references: references)
  }

  /// Changes rows, and says how many writes there were for each.
  private func writes(
    _ before: [[StoredValue]], _ after: [[StoredValue]], of table: EditedTable
  ) throws -> (each: Int, rows: Set<[StoredValue]>) {
    let writer = Rows(before, of: table)
    let edits = zip(before, after).enumerated().map { number, row in
      EditWrite(id: EditID(table: 0, number: Int64(number)), table: table, before: row.0, after: row.1)
    }
    let entity = EntityDescription("t", key: .assigned(["id"]), attributes: table.columns.map { Attribute($0, .any) })
    _ = try EditFlush.run(edits, of: [table], into: writer, EditConflicts(.refuse) { _ in entity }, isUnchanged: true)
    return (writer.count / before.count, Set(writer.rows.values))
  }

  private func row(_ id: Int, _ place: Int, _ pointer: Int = 0) -> [StoredValue] {
    [.integer(Int64(id)), .integer(Int64(place)), .integer(Int64(pointer)), .integer(Int64(pointer))]
  }

  @Test(arguments: [100, 400]) func `the last of a list becomes the first`(count: Int) throws {
    let before = (0..<count).map { row($0, $0) }
    let after = (0..<count).map { row($0, ($0 + 1) % count) }
    let (each, rows) = try writes(before, after, of: Self.table())
    #expect(rows == Set(after))
    #expect(each <= 10)
  }

  @Test(arguments: [100, 400]) func `values are moved on by one, in any order of the rows`(count: Int) throws {
    var random = SystemRandomNumberGenerator()
    let places = (0..<count).shuffled(using: &random)
    let before = (0..<count).map { row($0, places[$0]) }
    let after = (0..<count).map { row($0, places[$0] + 1) }
    let (each, rows) = try writes(before, after, of: Self.table())
    #expect(rows == Set(after))
    #expect(each <= 3)
  }

  @Test(arguments: [100, 400]) func `keys are moved on by one`(count: Int) throws {
    let before = (0..<count).map { row($0, $0) }
    let after = (0..<count).map { row($0 + 1, $0) }
    let (each, rows) = try writes(before, after, of: Self.table())
    #expect(rows == Set(after))
    #expect(each <= 3)
  }

  // Each row may be found by two ways from each of those above: there are more ways than can be gone.
  @Test func `rows that point to the one before twice, and all have other keys, are found`() throws {
    let count = 60
    let reference = {
      EditedTable.Reference(columns: [$0], table: SchemaName("t"), targets: [SchemaName("id")], onUpdate: .cascade, onDelete: .nothing)
    }
    let table = Self.table([reference(2), reference(3)])
    let before = (0..<count).map { row($0, $0, max($0 - 1, 0)) }
    let after = (0..<count).map { row(($0 + 1) % count, $0, $0 == 0 ? 1 : $0) }
    let (each, rows) = try writes(before, after, of: table)
    #expect(rows == Set(after))
    #expect(each <= 10)
  }
}
