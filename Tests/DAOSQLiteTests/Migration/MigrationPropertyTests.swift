import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// From any form to any other: random entities with random rows are changed at random, and every row has to be what Swift makes of it.
@Suite("Migration: from any form to any other")
struct MigrationPropertyTests {
  @Test(arguments: TestCases.some(0..<12, every: 3))
  func `every row is what it was, in its new form`(_ batch: Int) throws {
    for number in 0..<TestCases.count(15, inSuite: 2) {
      let seed = TestCases.seed &+ UInt64(batch * 1000 + number)
      var change = RandomChange(seed: seed)
      for round in 0..<change.roundCount {
        let told = "seed \(seed), round \(round)"
        let store = change.store
        let hints = change.mutate()
        do {
          let report = try change.migrate(hints)
          #expect(try change.rowsOfStore() == change.expected(), "\(told): \(report.map { "\($0)" } ?? "nothing done")")
          #expect(try store.schema().differences(from: change.entities).isEmpty, "\(told)")
          #expect(try store.rows("PRAGMA integrity_check") == ["'ok'"] && store.rows("PRAGMA foreign_key_check").isEmpty, "\(told)")
          for entity in change.entities where !entity.searchableAttributes.isEmpty {
            let search = entity.searchTable.quotedIdentifier
            try store.write { try $0.execute(sql: "INSERT INTO \(search) (\(search), rank) VALUES ('integrity-check', 1)") }
          }
          #expect(try change.migrate(hints) == nil, "\(told): done twice")
        } catch {
          Issue.record("\(told): \(error)\n\(change.entities.map(\.attributes))\n\(hints)")
          return
        }
      }
    }
  }
}

/// Entities, the rows that a store of them should have, and changes of both.
private struct RandomChange {
  struct Column {
    let id: Int
    var name: String
    /// Its name in the store so far; nil where it is new.
    var storeName: String?
    var type: AttributeType
    var isOptional: Bool
    /// Whether its values have been changed in this round.
    var isChanged = false
    var isSearchable = false
    var isIndexed = false
    var defaultValue: Scalar?
  }

  struct Table {
    var name: String
    /// Its name in the store so far; nil where it is new.
    var storeName: String?
    var columns: [Column]
    /// Row id, and a value for each column.
    var rows: [(id: Int64, values: [Scalar])]
    /// The table that a column of the same name points to.
    var parent: Int?
  }

  private var random: RandomSource
  private var tables: [Table] = []
  private var nextName = 0
  let store: Migrated
  let roundCount: Int

  init(seed: UInt64) {
    random = RandomSource(seed: seed)
    roundCount = 1 + random.below(3)
    guard let store = try? Migrated("") else { fatalError("no folder for tests") }
    self.store = store
    for _ in 0...random.below(3) { addTable() }
    _ = try? migrate(tables.map { .create($0.name) })
    fill()
  }

  // MARK: Entities

  var entities: [EntityDescription] {
    tables.map { table in
      EntityDescription(
        table.name, key: .generated("id"),
        attributes: [Attribute("id", .integer)]
          + table.columns.map { column in
            Attribute(
              column.name, column.type, optional: column.isOptional, default: column.defaultValue, searchable: column.isSearchable,
              renamedFrom: Self.former(column.storeName, column.name))
          }
          + (table.parent.map {
            [
              Attribute(
                "parent", .integer, optional: true, references: ForeignKey(table: tables[$0].name, column: "id", onDelete: .cascade))
            ]
          } ?? []),
        indexes: table.columns.filter(\.isIndexed).map { Index(on: $0.name) }, renamedFrom: Self.former(table.storeName, table.name))
    }
  }

  private static func former(_ old: String?, _ new: String) -> [String] { old.map { $0 == new ? [] : [$0] } ?? [] }

  private mutating func name(_ prefix: String) -> String {
    nextName += 1
    // Names of all kinds: with quotes, spaces and keywords.
    return random.pick([
      "\(prefix)\(nextName)", "\(prefix) \(nextName)", "\(prefix)\"\(nextName)", "select\(nextName)", "\(prefix).\(nextName)",
      "ž\(nextName)",
    ])
  }

  private mutating func column() -> Column {
    let type = random.pick(Self.types)
    var column = Column(id: nextName, name: name("c"), type: type, isOptional: random.once(in: 2))
    column.isSearchable = type == .text && random.once(in: 2)
    column.isIndexed = random.once(in: 3)
    // A column of the first form has no default, or rows without one would be refused.
    if random.once(in: 3) { column.defaultValue = value(of: type) }
    return column
  }

  private static let types: [AttributeType] = [
    .integer, .real, .text, .bool, .data, .uuid(.blob), .uuid(.text), .date(.iso8601), .date(.unixMilliseconds), .decimal(.text),
    .boolText("Y/N"), .text(.nocase), .text(.rtrim), .text(.padded(20)), .text(.blob), .uuid(.spelled([.capitals])), .decimal(.scaled(3)),
    .decimal(.numeric(3)),
    .decimal(.real(3)), .json,
    .date(.text("YYYY-MM-DD HH:MM:SS")),
    .date(.unixNanoseconds), .date(.secondsSince2001),
    .date(.text(DatePattern("YYYY-MM-DDTHH:MM:SS+HH:MM", zone: "+01:00"))),
  ]

  private mutating func value(of type: AttributeType) -> Scalar {
    switch type {
    case .bool, .boolText: return .bool(random.once(in: 2))
    case .integer: return .integer(Int64(random.below(2001)) - 1000)
    case .real: return .real(Double(random.below(2001)) / 8 - 100)
    case .text, .storedText: return .text(random.pick(["red house", "", "it's", "42", "naïve \"q\"", "blue\ncar"]))
    case .json: return .text(random.pick(["{\"a\":1}", "[]", "\"x\"", "null"]))
    case .data: return .data(Data((0..<random.below(5)).map { UInt8($0 * 40) }))
    case .uuid: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(256)))))
    case .date: return .date(Date(timeIntervalSince1970: Double(random.below(2_000_000_000))))
    case .decimal: return .decimal(Decimal(random.below(100_000)) / 1000)
    case .any: return .null
    }
  }

  private mutating func addTable() {
    let parent = tables.isEmpty || random.once(in: 2) ? nil : random.below(tables.count)
    tables.append(Table(name: name("t"), columns: (0...random.below(4)).map { _ in column() }, rows: [], parent: parent))
  }

  // MARK: Rows

  /// Puts rows into all tables, parents first.
  private mutating func fill() {
    for place in tables.indices {
      for _ in 0..<random.below(12) {
        let id = (tables[place].rows.map(\.id).max() ?? 0) + Int64(1 + random.below(5))
        let values = tables[place].columns.map { column in column.isOptional && random.once(in: 3) ? Scalar.null : value(of: column.type) }
        let parent: Scalar = tables[place].parent.flatMap { tables[$0].rows.map(\.id).last.map { .integer($0) } } ?? .null
        tables[place].rows.append((id, values))
        let table = tables[place]
        try? store.write { db in
          let all = [Scalar.integer(id)] + values + (table.parent == nil ? [] : [parent])
          let types = [.integer] + table.columns.map(\.type) + [.integer]
          let stored = try zip(types, all).map { try $0.stored($1).databaseValue }
          try db.execute(
            sql: "INSERT INTO \(table.name.quotedIdentifier) VALUES (\(stored.map { _ in "?" }.joined(separator: ", ")))",
            arguments: StatementArguments(stored))
        }
      }
    }
  }

  /// What the store has to hold.
  func expected() throws -> [String] {
    try tables.flatMap { table in
      try table.rows.map { row in
        let values = try zip(table.columns, row.values).map { "\($0.name)=\(try $0.type.stored($1))" }.sorted()
        return "\(table.name) \(row.id) \(values.joined(separator: " "))"
      }
    }
  }

  func rowsOfStore() throws -> [String] {
    try tables.flatMap { table in
      let list = table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
      var found: [String] = []
      try store.write { db in
        found = try Row.fetchAll(db, sql: "SELECT id, \(list) FROM \(table.name.quotedIdentifier) ORDER BY id").map { row in
          let values: [StoredValue] = row.databaseValues.map(\.stored)
          let named = zip(table.columns, values.dropFirst()).map { "\($0.name)=\($1)" }.sorted()
          return "\(table.name) \(values[0]) \(named.joined(separator: " "))"
        }
      }
      return found
    }
  }

  // MARK: Changes

  mutating func migrate(_ hints: [Migration.Hint]) throws -> Migration.Report? {
    let report = try store.migrate(entities, Migration(hints), version: 1)
    for place in tables.indices {
      tables[place].storeName = tables[place].name
      for column in tables[place].columns.indices {
        tables[place].columns[column].storeName = tables[place].columns[column].name
        tables[place].columns[column].isChanged = false
      }
    }
    return report
  }

  /// Changes entities, and rows as the change has to change them.
  /// - Returns: the hints that say what is meant.
  mutating func mutate() -> [Migration.Hint] {
    var hints: [Hint] = []
    for _ in 0...random.below(5) {
      let place = random.below(tables.count)
      let column = random.below(tables[place].columns.count)
      let isOld = tables[place].columns[column].storeName != nil && !tables[place].columns[column].isChanged
      switch random.below(9) {
      case 0: addTable()
      case 1: tables[place].name = name("t")
      case 2: hints += addColumn(to: place)
      case 3: tables[place].columns[column].name = name("c")
      case 4 where tables[place].columns.count > 1 && isOld: hints.append(drop(column, of: place))
      case 5: tables[place].columns[column].isIndexed = true
      case 6 where isOld: hints += require(column, of: place)
      case 7 where isOld: tables[place].columns[column].isOptional = true
      case 8 where isOld: hints += retype(column, of: place)
      default: break
      }
    }
    let new = tables.flatMap { table in
      (table.storeName == nil ? [.create(table.name)] : [])
        + table.columns.filter { $0.storeName == nil }.map { Migration.Hint.add(table.name, $0.name) }
    }
    return new
      + hints.map { $0.make(tables[$0.place].name, tables[$0.place].columns.first { [id = $0.column] in $0.id == id }?.name ?? "") }
  }

  /// A hint for names that may yet change in this round.
  private struct Hint {
    let place: Int
    let column: Int
    let make: (_ entity: String, _ attribute: String) -> Migration.Hint
  }

  private mutating func addColumn(to place: Int) -> [Hint] {
    let column = column()
    tables[place].columns.append(column)
    let needsNone = column.isOptional || column.defaultValue != nil
    let filling: Scalar? = needsNone && random.once(in: 2) ? Scalar?.none : .some(value(of: column.type))
    let new: Scalar = filling ?? column.defaultValue ?? .null
    for row in tables[place].rows.indices { tables[place].rows[row].values.append(new) }
    return filling.map { value in [Hint(place: place, column: column.id) { .fill($0, $1, with: value) }] } ?? []
  }

  private mutating func drop(_ column: Int, of place: Int) -> Hint {
    let gone = tables[place].columns.remove(at: column)
    for row in tables[place].rows.indices { tables[place].rows[row].values.remove(at: column) }
    return Hint(place: place, column: gone.id) { entity, _ in .drop(entity, gone.storeName ?? "") }
  }

  private mutating func require(_ column: Int, of place: Int) -> [Hint] {
    let old = tables[place].columns[column]
    if !old.isOptional { return [] }
    let filling = value(of: old.type)
    tables[place].columns[column].isOptional = false
    tables[place].columns[column].isChanged = true
    for row in tables[place].rows.indices where tables[place].rows[row].values[column].isNull {
      tables[place].rows[row].values[column] = filling
    }
    return [Hint(place: place, column: old.id) { .fill($0, $1, with: filling) }]
  }

  /// A type in which every value is the same, or another one by a conversion.
  private mutating func retype(_ column: Int, of place: Int) -> [Hint] {
    let old = tables[place].columns[column]
    let type = random.pick(Self.types.filter { !$0.fits(declared: old.type.declaredName) })
    tables[place].columns[column].type = type
    tables[place].columns[column].isChanged = true
    tables[place].columns[column].isSearchable = false
    tables[place].columns[column].defaultValue = nil
    let rows = tables[place].rows
    let same = rows.map { row in (try? old.type.stored(row.values[column])).flatMap { old.type.converting($0, to: type) } }
    if same.allSatisfy({ $0 != nil }), random.once(in: 2) {
      for (row, value) in zip(rows.indices, same) {
        tables[place].rows[row].values[column] = value.flatMap { try? type.scalar($0) } ?? .null
      }
      return []
    }
    let converted = value(of: type)
    for row in rows.indices where !rows[row].values[column].isNull { tables[place].rows[row].values[column] = converted }
    return [Hint(place: place, column: old.id) { .convert($0, $1) { $0.isNull ? .null : converted } }]
  }
}
