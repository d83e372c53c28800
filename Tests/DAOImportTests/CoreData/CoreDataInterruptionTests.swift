import DAOImport
import DAOKit
import Foundation
import Testing

/// Imports of a Core Data store by another process, which is killed, finds the disk full, or has little memory.
@Suite struct CoreDataInterruptionTests {
  /// A store of articles, each of which leads to the next.
  private func file(_ count: Int, text: Int) throws -> CoreDataFile {
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'CDArticle', 0, \(count));
      CREATE TABLE ZCDARTICLE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZNEXT INTEGER, ZTEXT VARCHAR);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZCDARTICLE SELECT i, 1, 1, i, CASE WHEN i < \(count) THEN i + 1 END, printf('%.\(text)c', 'x') FROM n;
      """)
    try file.close()
    return file
  }

  /// Runs an import to its end.
  private func lines(_ file: CoreDataFile, _ store: URL, _ arguments: String...) throws -> [String] {
    let (process, pipe) =
      try arguments.isEmpty ? ImportProbe.run(file.url.path, store.path) : ImportProbe.run(file.url.path, store.path, arguments[0])
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return said.split(separator: "\n").map(String.init)
  }

  private func count(_ store: URL) throws -> Int {
    try DAOFactory(store: .file(store), entities: ImportMark.self).runtimeDAO("article").count()
  }

  @Test func anImportThatIsKilledLeavesNothingAndBeginsAgain() throws {
    let file = try file(3_000, text: 400)
    let store = file.folder.appendingPathComponent("new.sqlite")
    let (process, pipe) = try ImportProbe.run(file.url.path, store.path)
    // Some rows are written.
    _ = pipe.fileHandleForReading.availableData
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(try count(store) == 0)
    #expect(try lines(file, store).last == "complete")
    #expect(try count(store) == 3_000)
    #expect(try lines(file, store).last == "repeated")
    #expect(try count(store) == 3_000)
  }

  @Test func aFullDiskLeavesNothing() throws {
    let file = try file(3_000, text: 400)
    let store = file.folder.appendingPathComponent("new.sqlite")
    #expect(try lines(file, store, "500000").last?.hasPrefix("failed ") == true)
    #expect(try count(store) == 0)
    #expect(try lines(file, store).last == "complete")
    #expect(try count(store) == 3_000)
  }

  @Test func aHundredThousandRowsNeedLittleMemory() throws {
    let file = try file(100_000, text: 1_000)
    let said = try lines(file, file.folder.appendingPathComponent("new.sqlite"))
    #expect(said.last == "complete")
    // The rows have 100 MB.
    let memory = try #require(said.first { $0.hasPrefix("memory ") }.flatMap { Int($0.dropFirst(7)) })
    #expect(memory < 40_000_000)
  }
}
