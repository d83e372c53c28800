import Foundation
import GRDB

/// A file in the layout in which Core Data writes its stores, made with plain SQL. It is removed with the value.
final class CoreDataFile: @unchecked Sendable {
  let folder: URL
  let url: URL
  private let queue: DatabaseQueue

  /// - Parameter isWAL: whether commits stay in the WAL, as Core Data leaves them.
  init(isWAL: Bool = false, _ sql: String...) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-core-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("Model.sqlite")
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      if isWAL { _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") }
      try db.execute(
        sql: """
          CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
          CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
          CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
          """)
    }
    for sql in sql { try run(sql) }
  }

  deinit {
    try? queue.close()
    try? FileManager.default.removeItem(at: folder)
  }

  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try queue.write { try $0.execute(sql: sql, arguments: arguments) }
  }

  /// Adds a row.
  func insert(into table: String, _ values: [(column: String, value: DatabaseValue)]) throws {
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try run(
      "INSERT INTO \(table) (\(values.map(\.column).joined(separator: ", "))) VALUES (\(marks))", StatementArguments(values.map(\.value)))
  }

  /// Closes the file, so that it lies there as after the app has ended.
  func close() throws { try queue.close() }

  /// Writes a file of external data.
  /// - Returns: the bytes that the column then has.
  func external(_ data: Data, named name: String = UUID().uuidString) throws -> Data {
    let files = folder.appendingPathComponent(".Model_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try data.write(to: files.appendingPathComponent(name))
    return Data([2]) + Data(name.utf8) + Data([0])
  }

  /// The bytes of the files in the folder, without the index of the WAL, which holds no data.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
      contents[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
    }
    return contents
  }
}

extension CoreDataFile {
  /// Folders in a tree, notes and lists (which are notes too) in them, with tags in an order and related notes.
  static let notes = """
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'CDFolder', 0, 3), (2, 'CDNote', 0, 4), (3, 'CDList', 2, 0), (4, 'CDTag', 0, 2);
    CREATE TABLE ZCDFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZCDNOTE (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPINNED INTEGER, ZITEMCOUNT INTEGER, ZFOLDER INTEGER,
      Z_FOK_FOLDER INTEGER, ZRATING FLOAT, ZCREATED TIMESTAMP, ZPRICE DECIMAL, ZTITLE VARCHAR, ZCOLOUR BLOB, ZIDENTIFIER BLOB, ZPHOTO BLOB);
    CREATE TABLE ZCDTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2TAGS (Z_2NOTES INTEGER, Z_4TAGS INTEGER, Z_FOK_4TAGS INTEGER, PRIMARY KEY (Z_2NOTES, Z_4TAGS));
    CREATE TABLE Z_2RELATED (Z_2RELATED INTEGER, Z_2RELATEDFROM INTEGER, PRIMARY KEY (Z_2RELATED, Z_2RELATEDFROM));
    INSERT INTO ZCDFOLDER VALUES (1, 1, 1, 3, 'Work'), (2, 1, 1, NULL, 'Home'), (3, 1, 2, NULL, 'All');
    INSERT INTO ZCDTAG VALUES (1, 4, 1, 'red'), (2, 4, 1, 'blue');
    INSERT INTO ZCDNOTE VALUES
      (5, 2, 1, 1, NULL, 1, 2048, 4.5, 694224000.5, 19.9, 'First', x'0A0B', x'000102030405060708090A0B0C0D0E0F', NULL),
      (7, 3, 1, 0, 3, 1, 1024, NULL, 0, 1000000, 'Shopping', NULL, NULL, NULL),
      (9, 2, 1, NULL, NULL, NULL, NULL, -2, -1, NULL, 'Loose', NULL, NULL, x'FFD8');
    INSERT INTO Z_2TAGS VALUES (5, 1, 2048), (5, 2, 1024), (7, 2, 1024);
    INSERT INTO Z_2RELATED VALUES (7, 5), (5, 7), (9, 9);
    """
}
