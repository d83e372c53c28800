import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Makes a seed that is ready to be shipped, and its manifest, of a database or of files with rows.
///
/// ```swift
/// let packer = SeedPacker(Zone.self, City.self, applicationID: 0x44414F31, version: 3)
/// try packer.pack(URL(fileURLWithPath: "zones.sqlite"), to: URL(fileURLWithPath: "Resources/clock.sqlite"))
/// ```
///
/// The seed holds the content of the database, with the last commits of its WAL; the database is unchanged. The seed is checked as
/// ``StoreDoctor`` checks a store, notes aside, and refused with all findings. It is as small as `VACUUM` makes it, has the statistics of
/// `ANALYZE` and search tables in one piece, is not in WAL mode, and has its application id and version. A digest of its content, which it
/// carries, distinguishes it from every other seed (``SeedPolicy``). The same input makes the same bytes.
///
/// The manifest lies beside it: `clock.sqlite.manifest`; see ``SeedManifest``. A seed of a bundle that requires it has both among its
/// resources.
///
/// From JSON and CSV: `import DAOPacking`.
public struct SeedPacker: Sendable {
  /// The entities that the seed has to fit; where there are none, any tables are packed.
  package let entities: [EntityDescription]
  /// The Swift types of the entities; none where they have none.
  package let types: [any Entity.Type]
  private let doctor: StoreDoctor
  private let applicationID: Int32?
  private let version: Int32?
  private let allowed: Set<DoctorReport.Kind>

  /// A packer of seeds for entities.
  /// - Parameters:
  ///   - entities: the entities that the seed must match; without any, all its tables are checked.
  ///   - applicationID: the seed's `PRAGMA application_id`; nil keeps the database's.
  ///   - version: the seed's `PRAGMA user_version`; nil leaves what the database has.
  ///   - allowed: kinds of finding that are no reason to refuse the seed: `[.missingIndex]`.
  public init(
    _ entities: any Entity.Type..., applicationID: Int32? = nil, version: Int32? = nil, allowing allowed: Set<DoctorReport.Kind> = []
  ) {
    self.init(entities.map { $0.entityDescription }, entities, StoreDoctor(entities), applicationID, version, allowed)
  }

  /// A packer of seeds for entities without a Swift type. It knows only the attributes' types: a value that only the Swift type of an app
  /// would refuse, such as a text that is no case of an enum, is packed.
  public init(
    describedBy entities: [EntityDescription], applicationID: Int32? = nil, version: Int32? = nil,
    allowing allowed: Set<DoctorReport.Kind> = []
  ) {
    self.init(entities, [], StoreDoctor(describedBy: entities), applicationID, version, allowed)
  }

  private init(
    _ entities: [EntityDescription], _ types: [any Entity.Type], _ doctor: StoreDoctor, _ applicationID: Int32?, _ version: Int32?,
    _ allowed: Set<DoctorReport.Kind>
  ) {
    self.entities = entities
    self.types = types
    self.doctor = doctor
    self.applicationID = applicationID
    self.version = version
    self.allowed = allowed
  }

  /// Packs the content of a SQLite database.
  /// - Parameters:
  ///   - database: the database, in use or not; a WAL beside it is a part of it.
  ///   - seed: where the seed goes, in place of an earlier one; its manifest lies beside it.
  /// - Returns: the manifest.
  /// - Throws: ``SeedPacker/Failure/unsound(_:)`` with all findings of a doctor; ``DAOError/bootstrap(_:)`` where a file can't be read or
  ///   written, or the seed would replace a file of the database, a file that somebody has open, or anything but a packed seed. An earlier
  ///   seed is unchanged then, as far as the file system allows to rename a seed and its manifest.
  @discardableResult
  public func pack(_ database: URL, to seed: URL) throws -> SeedManifest {
    let source = StorePaths(store: Files.resolve(try Files.path(database, "database")))
    guard let status = try Files.status(source.store), status.isRegular else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.missingSeed, path: source.store, "there is no such database"))
    }
    return try pack(to: seed, from: [source.store] + StorePaths.sidecars(of: source.store)) { work in
      try StoreFiles.looking(at: source) { files in
        // The check of the copy would not report these.
        let damage = files.findings.filter { $0.severity == .damage && !allowed.contains($0.kind) }
        guard damage.isEmpty else { throw SeedPacker.Failure.unsound(damage) }
        try files.open { try SQLiteFile.copy($0, to: work) }
      }
    }
  }

  /// Packs the rows that a body writes into an empty database.
  /// - Parameter files: what the rows are read from.
  package func pack(to seed: URL, from files: [URL], filling fill: (any SeedRows) throws -> Void) throws -> SeedManifest {
    try pack(to: seed, from: files.map(\.absoluteURL.path)) { work in
      _ = try OpenFile(work, O_WRONLY | O_CREAT | O_EXCL)
      try SQLiteFile.open(work) { db in
        try db.run("PRAGMA journal_mode = MEMORY")
        try db.run("PRAGMA synchronous = OFF")
        for statement in try SchemaSQL.statements(for: entities) { try db.execute(sql: statement) }
        try db.trustSearchTriggers()
        try db.run("BEGIN")
        do {
          try fill(Rows(db: db))
          try db.run("COMMIT")
        } catch {
          try? db.run("ROLLBACK")
          throw error
        }
      }
    }
  }

  /// Makes the seed of the database that `make` leaves under the name that it is given.
  private func pack(to seed: URL, from files: [String], making make: (_ work: String) throws -> Void) throws -> SeedManifest {
    let target = try Files.path(seed, "seed")
    try refuse(target, over: files)
    return try TemporaryFolder.use { folder in
      let (work, packed) = (folder + "/work", folder + "/packed")
      try make(work)
      try SQLiteFile.open(work) { try prepare($0) }
      try check(work)
      try SQLiteFile.open(work) { try $0.run("VACUUM INTO ?", [.text(packed)]) }
      let content = try FileDigest.of(file: packed)
      try SQLiteFile.open(packed) { db in
        try db.run("PRAGMA journal_mode = MEMORY")
        try SeedStamp(ofContent: content, version: StoreState(reading: db).version).write(to: db)
      }
      let manifest = try SeedManifest(describing: packed)
      try put(packed, manifest, at: target)
      return manifest
    }
  }

  /// Writes the parts of a seed besides its rows.
  private func prepare(_ db: Database) throws {
    try db.run("PRAGMA synchronous = OFF")
    // Of a store that was made from an earlier seed.
    if try SeedStamp(reading: db) != nil { try db.run("DROP TABLE \(SeedStamp.table)") }
    if let applicationID { try db.run("PRAGMA application_id = \(applicationID)") }
    if let version { try db.run("PRAGMA user_version = \(version)") }
    for table in try StoreSchema(reading: db, view: { _ in false }).tables where table.search?.isOwn == true {
      let search = EntityDescription.searchTable(of: table.name).quotedIdentifier
      try db.run("INSERT INTO \(search) (\(search)) VALUES ('optimize')")
    }
    try db.run("PRAGMA analysis_limit = 0")
    try db.run("ANALYZE")
  }

  private func check(_ work: String) throws {
    let found = try doctor.examine(URL(fileURLWithPath: work)).findings + SQLiteFile.open(work) { try userKeys(in: $0) }
    let findings = found.filter { $0.severity != .note && !allowed.contains($0.kind) }
    guard findings.isEmpty else { throw SeedPacker.Failure.unsound(findings) }
  }

  /// Rows that a store's own would meet in the next upgrade.
  private func userKeys(in db: Database) throws -> [DoctorReport.Finding] {
    try StoreSchema(reading: db, view: { _ in false }).tables.compactMap { table in
      guard let key = table.integerPrimaryKey,
        entities.isEmpty || entities.contains(where: { $0.hasGeneratedKey && SchemaName.same($0.table, table.name) })
      else { return nil }
      let sql = "SELECT count(*) FROM main.\(table.name.quotedIdentifier) WHERE \(key.quotedIdentifier) >= \(SeedStamp.firstUserKey)"
      guard let count = try db.bareRows(sql, { Int($0.integer(0)) }).first, count > 0 else { return nil }
      return DoctorReport.Finding(
        .userKeys, of: table.name, at: key, rows: count, "keys from 2^40 on are those that a store generates for its user's rows",
        repair: DoctorReport.Repair("give the rows keys below \(SeedStamp.firstUserKey)"))
    }
  }

  /// The names that a seed and its manifest are made under, and their own.
  private func names(at target: String) -> [(draft: String, name: String)] {
    [target, SeedManifest.path(of: target)].map { (StorePaths(store: $0).incoming, $0) }
  }

  /// Refuses a target where a person's own file has the name of a draft.
  private func expectDrafts(at target: String) throws {
    let names = names(at: target)
    try StorePaths.expectLeftover(names[0].draft, of: SeedHeader.magic)
    try StorePaths.expectLeftover(names[1].draft, of: SeedManifest.start)
  }

  /// Refuses a target whose files are read for the seed, or can't be replaced.
  private func refuse(_ target: String, over files: [String]) throws {
    let names = names(at: target)
    for name in names.map(\.name) where try Files.status(name).map({ !$0.isRegular }) == true {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.notAFile, path: name, "what has the name is no file, and is not replaced"))
    }
    func place(_ path: String) throws -> (name: String, identity: Files.Identity?) {
      let name = Files.resolve(Files.folder(of: path)) + "/" + URL(fileURLWithPath: path).lastPathComponent
      return (name, try Files.status(path)?.identity)
    }
    let read = try files.map(place)
    for path in names.flatMap({ [$0.draft, $0.name] }) + StorePaths.sidecars(of: target) {
      let written = try place(path)
      if read.contains(where: { $0.name == written.name || $0.identity != nil && $0.identity == written.identity }) {
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(.system, path: path, "the seed is made of this file, and would take its place; it needs another name"))
      }
    }
    try expectDrafts(at: target)
    try refuseOthers(target)
    // A person's own file of that name would be gone.
    let manifest = SeedManifest.path(of: target)
    if try Files.status(manifest, followingLinks: false) != nil, (try? SeedManifest(ofSeedAt: target)) == nil {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .system, path: manifest, "the file is no manifest, and is not replaced by one; move it away, or give the seed another name"))
    }
  }

  /// Refuses a target that is something other than a packed seed: a store, with a user's rows, or a database that nothing was made of yet.
  private func refuseOthers(_ target: String) throws {
    guard let found = try Files.status(target), found.size > 0 else { return }
    do {
      if try SQLiteFile.open(target, .readUnchanging, { try SeedStamp(reading: $0)?.isOfContent }) == true { return }
    } catch DAOError.bootstrap(let problem) where [.corrupt, .notADatabase].contains(problem.kind) {
      // A packed seed that was damaged, by its manifest.
      if try Files.status(SeedManifest.path(of: target)) != nil { return }
      throw DAOError.bootstrap(problem)
    }
    throw DAOError.bootstrap(
      DAOError.BootstrapProblem(
        .system, path: target, "the file is no packed seed, and is not replaced by one; remove it, or give the seed another name"))
  }

  /// Does what takes the target's name while nobody has it open.
  private func replacing(_ target: String, _ body: () throws -> Void) throws {
    guard let found = try Files.status(target), found.size > 0 else { return try body() }
    do { try SQLiteFile.alone(target, timeout: .zero, to: "be replaced by a seed") { _ in try body() } } catch DAOError.bootstrap(
      let problem)
      where [.corrupt, .notADatabase].contains(problem.kind)
    { try body() }
  }

  /// Gives seed and manifest their names, in place of earlier ones.
  private func put(_ packed: String, _ manifest: SeedManifest, at target: String) throws {
    let names = names(at: target)
    _ = try Files.makeFolders(Files.folder(of: target))
    // Others may pack there too, and their drafts have the same names.
    let lock = try StoreLock(StorePaths(store: target), timeout: .seconds(5))
    defer { withExtendedLifetime(lock) {} }
    try expectDrafts(at: target)
    do {
      for (draft, _) in names { try Files.remove(draft) }
      try OpenFile(packed, O_RDONLY).copy(to: names[0].draft, permissions: nil) { _ in }
      let json = names[1].draft
      do { try manifest.json.write(to: URL(fileURLWithPath: json), options: .withoutOverwriting) } catch {
        throw DAOError.bootstrap(DAOError.BootstrapProblem(.unwritable, path: json, "can't be written: \(error.localizedDescription)"))
      }
      for (draft, _) in names { try Files.sync(draft) }
      try replacing(target) {
        // Of an earlier seed, and would be played into this one.
        for path in StorePaths.sidecars(of: target) { try Files.remove(path) }
        for (draft, name) in names { try Files.move(draft, to: name) }
      }
      try Files.syncFolder(of: target)
    } catch {
      for (draft, _) in names { _ = try? Files.remove(draft) }
      throw error
    }
  }
}

private struct Rows: SeedRows {
  let db: Database

  func insert(_ values: [StoredValue], into entity: EntityDescription) throws -> Int64 {
    let columns = entity.attributes.map(\.column.quotedIdentifier).joined(separator: ", ")
    let marks = entity.attributes.map { _ in "?" }.joined(separator: ", ")
    do { try db.run("INSERT INTO \(entity.table.quotedIdentifier) (\(columns)) VALUES (\(marks))", values) } catch let error
      as DatabaseError
    { throw DAOError(error, entity: entity) }
    return db.lastInsertedRowID
  }

  func row(of entity: EntityDescription, where attributes: [Attribute], are values: [StoredValue]) throws -> Int64? {
    let condition = attributes.map { "\($0.column.quotedIdentifier) = ?" }.joined(separator: " AND ")
    // A table of the packer's own has row ids, by this name unless a column has it.
    let rowID = ["rowid", "_rowid_", "oid"].first { name in !entity.attributes.contains { SchemaName.same($0.column, name) } }
    guard let name = rowID ?? entity.keyAttributes.first?.column.quotedIdentifier else { return nil }
    return try db.bareRows("SELECT \(name) FROM \(entity.table.quotedIdentifier) WHERE \(condition) LIMIT 1", binding: values) {
      $0.integer(0)
    }.first
  }
}
