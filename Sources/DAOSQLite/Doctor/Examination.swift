import DAOCriteria
import DAOSQL
import DAOSchema
import GRDBSQLite

/// The examination of a store on one connection. Each part adds its findings.
struct Examination {
  typealias Finding = DoctorReport.Finding
  typealias Repair = DoctorReport.Repair
  typealias Example = DoctorReport.Example

  /// The findings, and the store's own facts.
  struct Result {
    let findings: [Finding]
    let facts: DoctorReport.Facts?
  }

  let connection: any Connection
  var schema = StoreSchema(tables: [])
  var entities: [ExaminedEntity] = []
  private(set) var findings: [Finding] = []
  // The same, since two parts can find one thing, and a hostile schema has thousands.
  private var known: Set<Finding> = []
  /// Names of indexes that repairs would make.
  var repairedNames: [String] = []
  /// Rows that were read, by the entity's name.
  var rowCounts: [String: Int] = [:]

  init(_ connection: any Connection) { self.connection = connection }

  /// Runs every part.
  /// - Parameter entities: what to examine; nil for what the schema describes.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not allow.
  mutating func run(
    _ entities: [ExaminedEntity]?, _ facts: StoreFacts, expecting: ExpectedFacts, correctedBy corrections: SchemaCorrections
  ) throws {
    examineEncoding(facts.encoding)
    for finding in expecting.findings(in: facts) { add(finding) }
    try part { examination in
      let schema = try examination.connection.schema { name in
        entities?.contains { SchemaName.same($0.description.table, name) } == true || corrections.tables.contains(SchemaName(name))
      }
      // Rules are the store's own; descriptions know more.
      let corrected = try schema.corrected(by: corrections)
      examination.schema = schema
      // Nothing but its SQL is known of a view's rows, and that may take any time.
      examination.entities =
        entities ?? schema.tables.filter { !$0.isView }.compactMap { corrected.description(of: $0.name).map { ExaminedEntity($0) } }
    }
    try part { try $0.examineIntegrity() }
    if entities != nil { try part { try $0.examineDrift() } }
    for table in schema.tables where !table.foreignKeys.isEmpty { try part(of: table.name) { try $0.examineForeignKeys(of: table) } }
    try part { try $0.examinePrograms() }
    try part { try $0.examineIndexes() }
    let broken = findings.filter { $0.kind == .brokenView }.map(\.entity)
    for entity in self.entities where !broken.contains(entity.description.name) {
      try part(of: entity.description.name) { try $0.examineValues(of: entity) }
    }
    for table in schema.tables where table.search != nil { try part(of: table.name) { try $0.examineSearch(of: table) } }
    try part { try $0.examineStatistics() }
  }

  func result(_ facts: StoreFacts) -> Result {
    Result(
      findings: findings,
      facts: DoctorReport.Facts(
        size: facts.size, version: facts.version, applicationID: facts.applicationID, isWAL: facts.isWAL, rowCounts: rowCounts))
  }

  /// Runs a part. That SQLite can't go on is a finding, and the other parts are run all the same.
  private mutating func part(of entity: String? = nil, _ body: (inout Examination) throws -> Void) throws {
    do { try body(&self) } catch DAOError.engine(let failure) {
      switch failure.code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR:
        add(Finding(.damage, of: entity, "can't be read: \(failure.message)", repair: Self.restore))
      case SQLITE_ERROR: add(Finding(.unreadableTable, of: entity, "can't be read: \(failure.message)", repair: Self.migrate))
      default: throw DAOError.engine(failure)
      }
    } catch DAOError.overflow(_, let message) {
      add(Finding(.unreadableTable, of: entity, "can't be read: \(message)", repair: Self.migrate))
    }
  }

  mutating func add(_ finding: Finding) { if known.insert(finding).inserted { findings.append(finding) } }

  static let restore = Repair("restore a backup; `.recover` of the sqlite3 shell saves what can still be read into another file")
  static let migrate = Repair("migrate the store to the entities, or change them")

  private mutating func examineEncoding(_ encoding: String) {
    guard encoding != SeedHeader.utf8 else { return }
    add(
      Finding(
        .encoding, "text is stored as \(encoding); a store's is UTF-8, by whose bytes it is ordered",
        repair: Repair("make a database in UTF-8, and copy the tables into it")))
  }

  // MARK: Repairing

  /// How many rows have values together that they are to have alone; null is like no other.
  /// - Parameter values: the SQL of the values.
  func doubles(of table: StoreSchema.Table, _ values: [String]) throws -> Int {
    let isSet = values.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return try count(
      "SELECT ifnull(sum(repeats), 0) FROM (SELECT count(*) AS repeats FROM main.\(table.name.quotedIdentifier) NOT INDEXED WHERE \(isSet) "
        + "GROUP BY \(values.joined(separator: ", ")) HAVING count(*) > 1)")
  }

  // MARK: Reading

  /// The rows of a statement.
  func rows(_ sql: String) throws -> [[StoredValue]] { try connection.rows(SQLStatement(sql)) }

  /// Runs a statement that returns a count.
  func count(_ sql: String) throws -> Int {
    if case .integer(let count)? = try rows(sql).first?.first { Int(clamping: count) } else { 0 }
  }

  /// A few rows of a table for which a condition holds: their keys and the values of some columns.
  func examples(of table: StoreSchema.Table, _ columns: [String], where condition: String) throws -> [Example] {
    let key = table.primaryKey.isEmpty ? table.implicitRowID.map { [$0] } ?? table.columns.map(\.name) : table.primaryKey
    let list = (key + columns).map(\.quotedIdentifier).joined(separator: ", ")
    let order = key.map(\.quotedIdentifier).joined(separator: ", ")
    return try rows(
      "SELECT \(list) FROM main.\(table.name.quotedIdentifier) AS here WHERE \(condition) ORDER BY \(order) LIMIT \(Example.limit)"
    ).map { Example(key: Array($0.prefix(key.count)), values: Array($0.dropFirst(key.count))) }
  }
}
