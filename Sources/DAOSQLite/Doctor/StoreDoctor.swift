import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// Reports the problems of a store, each with its repair. It only reads.
///
/// ```swift
/// let report = try StoreDoctor(entities: Zone.self, Country.self).examine(url)      // the app's entities
/// let report = try StoreDoctor().examine(url)                                       // any SQLite file, by its own schema
/// let report = try factory.examine()                                                // an open store
/// ```
///
/// It examines
/// - the file: whether SQLite can open it, its pages and indexes (`PRAGMA integrity_check`), the encoding of its text;
/// - its rules: foreign keys (`PRAGMA foreign_key_check`), NOT NULL and UNIQUE;
/// - the schema: where it does not fit the entities, foreign keys that no index serves, views and triggers that can't be compiled;
/// - every value: each row is read as the entity, and written as it would be stored. Values that can't be read, and values that would not
///   be found again by the value that was read, are reported with their rows. Entities without a Swift type are read by the types of their
///   attributes;
/// - the search tables, whose words are compared with those that their tables have now;
/// - the statistics of `ANALYZE`, and the files beside the store: an interrupted writer's journal, a WAL that is damaged or seems to be of
///   another file, files left by killed starts, backups;
/// - its application id and version, if the expected ones are given.
///
/// No byte of the store changes, and no file is created or removed beside it, whether or not others use it. Files that SQLite could only
/// read by writing (the journal of an interrupted writer, a WAL without its index) are examined as a copy in the system's folder for
/// temporary files. Search tables are compared by means of SQLite's temporary files.
///
/// All is read in one snapshot. The rows are read once, one statement for each table.
public struct StoreDoctor: Sendable {
  /// The entities to examine; nil to examine the tables that the store's own schema describes.
  let entities: [ExaminedEntity]?
  /// What is known of the store beyond its schema.
  let corrections: SchemaCorrections
  private let expected: ExpectedFacts
  /// The longest text, blob or row that is read, in bytes.
  var maximumLength = StoreDescription.defaultMaximumLength

  /// A doctor for stores of these entities; without any, for all tables that a store has.
  /// - Parameters:
  ///   - applicationID: the `PRAGMA application_id` that a store is to have; nil for any.
  ///   - version: the `PRAGMA user_version` that a store is to have; nil for any. One of a later version is an error, one of an earlier a
  ///     note.
  public init(entities: any Entity.Type..., applicationID: Int32? = nil, version: Int32? = nil) {
    self.init(entities, applicationID: applicationID, version: version)
  }

  /// A doctor for stores of these entities; without any, for all tables that a store has.
  /// - Parameters: as for ``init(entities:applicationID:version:)``.
  public init(_ entities: [any Entity.Type], applicationID: Int32? = nil, version: Int32? = nil) {
    self.init(entities.map(ExaminedEntity.init), ExpectedFacts(applicationID: applicationID, version: version))
  }

  /// A doctor for stores of entities without a Swift type. In their JSON attributes it reports values that are no JSON.
  /// - Parameters: as for ``init(entities:applicationID:version:)``.
  public init(describedBy entities: [EntityDescription], applicationID: Int32? = nil, version: Int32? = nil) {
    self.init(entities.map { ExaminedEntity($0) }, ExpectedFacts(applicationID: applicationID, version: version))
  }

  /// A doctor for all tables of a store that another program made: the values of columns whose form is stated are examined as such.
  /// - Parameter corrections: what is known of the store beyond its schema, as `DAOFactory(store:corrections:)` takes it.
  public init(corrections: SchemaCorrections) { self.init([], ExpectedFacts(applicationID: nil, version: nil), corrections) }

  private init(_ entities: [ExaminedEntity], _ expected: ExpectedFacts, _ corrections: SchemaCorrections = SchemaCorrections()) {
    self.entities = entities.isEmpty ? nil : entities
    self.corrections = corrections
    self.expected = expected
  }

  /// Examines a store's file.
  /// - Parameter store: the file: a store, in use or not, a seed, or any other SQLite database.
  /// - Throws: ``DAOError/bootstrap(_:)`` where there is no such file, or it can't be opened at all; problems of its content are in the
  ///   report. ``DAOError/BootstrapProblem/Kind/locked`` where others have it locked; ``DAOError/BootstrapProblem/Kind/foreignJournal`` for
  ///   an interrupted writer's journal that names another file, which SQLite would delete.
  public func examine(_ store: URL) throws -> DoctorReport {
    let start = ContinuousClock.now
    let paths = try StorePaths.examined(store).paths
    return try StoreFiles.looking(at: paths) { files in
      let found = try examine(files)
      let suspicion = found.findings.contains { $0.kind == .damage } ? files.suspicionOfWAL : nil
      return DoctorReport(
        store: URL(fileURLWithPath: paths.store),
        findings: files.findings + [suspicion].compactMap(\.self) + found.findings + (try leftovers(paths)),
        facts: found.facts, duration: .now - start)
    }
  }

  /// Examines the store of an engine: its file or, of one in memory, all on its connection.
  package func examine(_ engine: SQLiteEngine) throws -> DoctorReport {
    guard case .single = engine.mode else { return try examine(URL(fileURLWithPath: engine.name)) }
    let start = ContinuousClock.now
    return try engine.read(snapshot: true) { connection in
      let found = try examination(on: connection, StoreFacts(reading: connection, nil))
      return DoctorReport(store: nil, findings: found.findings, facts: found.facts, duration: .now - start)
    }
  }

  private func examination(on connection: any Connection, _ facts: StoreFacts) throws -> Examination.Result {
    var examination = Examination(connection)
    try examination.run(entities, facts, expecting: expected, correctedBy: corrections)
    return examination.result(facts)
  }

  private func examine(_ files: StoreFiles) throws -> Examination.Result {
    guard files.size > 0 else {
      let finding = DoctorReport.Finding(
        .notADatabase, "the file has no bytes", repair: DoctorReport.Repair("remove it; the next start makes the store"))
      return Examination.Result(findings: [finding], facts: nil)
    }
    do {
      return try files.open(maximumLength: maximumLength) { db in
        try db.run("PRAGMA cell_size_check = ON")
        // One snapshot, as far as the file lets there be one. It ends with the connection.
        try db.run("BEGIN")
        let connection = try SQLiteConnection(db, outside: nil)
        return try self.examination(on: connection, StoreFacts(reading: connection, files))
      }
    } catch DAOError.bootstrap(let problem) where [.corrupt, .notADatabase].contains(problem.kind) {
      return Examination.Result(findings: [files.finding(of: problem)], facts: nil)
    }
  }

  /// Returns findings about files that lie beside a store and are no part of it.
  private func leftovers(_ paths: StorePaths) throws -> [DoctorReport.Finding] {
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    let left = try ([paths.lock] + paths.temporary).filter { try Files.status($0) != nil }.map { path in
      DoctorReport.Finding(
        .leftover, "\(name(path)) was left by a start that was killed, or one is at work now",
        repair: DoctorReport.Repair("the next start removes it"))
    }
    func kept(_ path: String, _ why: String, _ end: String) -> DoctorReport.Finding {
      DoctorReport.Finding(
        .backup, "\(name(path)) is an older store that was kept, \(why)",
        repair: DoctorReport.Repair("delete it where it is not needed any more; \(end)"))
    }
    let replaced = try paths.backups().map {
      kept($0.path, "since a seed replaced it", "a program whose policy is .replace removes it when the new store has opened")
    }
    let erased = try paths.erased().map {
      kept($0.path, "since it did not fit the entities", "removeErased() of a start's report removes it")
    }
    let migrated =
      try !paths.isOlderStore(paths.beforeMigration)
      ? []
      : [paths.beforeMigration].map {
        kept($0, "as it was before a migration", "the next migration that can't be undone takes its name")
      }
    return left + replaced + erased + migrated
  }
}

extension SQLiteEngine {
  /// Examines the store: its file or, of one in memory, all on its connection.
  /// - Parameters:
  ///   - entities: the types to examine; without any, the entities with which the store was opened.
  ///   - corrections: what is known of a store beyond its schema that was opened with none.
  package func examine(_ entities: [any Entity.Type], correctedBy corrections: SchemaCorrections = SchemaCorrections()) throws
    -> DoctorReport
  {
    let opened = origin?.entities ?? []
    var doctor =
      !entities.isEmpty ? StoreDoctor(entities) : opened.isEmpty ? StoreDoctor(corrections: corrections) : StoreDoctor(describedBy: opened)
    if let origin { doctor.maximumLength = origin.store.maximumLength }
    if case .single = mode { return try doctor.examine(self) }
    return try suspension.run { try doctor.examine(self) }
  }
}

/// An entity whose rows are examined.
struct ExaminedEntity: Sendable {
  let description: EntityDescription
  /// The type that the rows are read as.
  let type: any Entity.Type

  init(_ type: any Entity.Type) {
    description = type.entityDescription
    self.type = type
  }

  init(_ description: EntityDescription) {
    self.description = description
    type = DynamicEntity.self
  }
}

/// The properties of a store, read from it.
struct StoreFacts {
  let size: Int64?
  let version: Int32
  let applicationID: Int32
  let isWAL: Bool
  let encoding: String

  init(reading connection: any Connection, _ files: StoreFiles?) throws {
    func pragma(_ name: String) throws -> StoredValue? { try connection.rows(SQLStatement("PRAGMA main.\(name)")).first?.first }
    func number(_ name: String) throws -> Int32 {
      if case .integer(let value)? = try pragma(name) { Int32(truncatingIfNeeded: value) } else { 0 }
    }
    size = files?.size
    version = try number("user_version")
    applicationID = try number("application_id")
    isWAL = files?.isWAL ?? false
    encoding = if case .text(let name)? = try pragma("encoding") { name } else { "" }
  }
}

/// The properties that a store is expected to have.
struct ExpectedFacts: Sendable {
  let applicationID: Int32?
  let version: Int32?

  func findings(in facts: StoreFacts) -> [DoctorReport.Finding] {
    typealias Finding = DoctorReport.Finding
    typealias Repair = DoctorReport.Repair
    var found: [Finding] = []
    if let applicationID, facts.applicationID != applicationID {
      found.append(
        Finding(
          .wrongApplication, "the application id is \(facts.applicationID), not \(applicationID)",
          repair: Repair("find out whose file it is; a store of the application has its id from its seed, or from its making")))
    }
    guard let version, facts.version != version else { return found }
    found.append(
      facts.version > version
        ? Finding(
          .newerVersion, "the version is \(facts.version), later than \(version)",
          repair: Repair("open it with the application's later release"))
        : Finding(.olderVersion, "the version is \(facts.version), earlier than \(version)", repair: Repair("the next start migrates it")))
    return found
  }
}
