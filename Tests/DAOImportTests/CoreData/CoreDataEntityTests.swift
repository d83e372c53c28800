import DAOKit
import Foundation
import GRDB
import Testing

@testable import DAOImport

/// The entities in `Z_PRIMARYKEY`, and how their rows and files are read.
@Suite struct CoreDataEntityTests {
  @Test func entitiesOfTheHistoryAreNone() throws {
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Transaction', 0, 0), (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0),
        (16003, 'TRANSACTIONSTRING', 0, 0);
      CREATE TABLE ZTRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
      INSERT INTO ZTRANSACTION VALUES (1, 1, 1, 'rent');
      INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 0);
      """)
    let old = try CoreDataStore(file.url)
    #expect(old.entities.map(\.name) == ["Transaction"])
    let factory = try TagEntities.factory()
    let report = try old.import(into: factory, [.entity(describedBy: TagEntities.bare, from: "transaction")])
    #expect(try factory.values(TagEntities.bare, "name") == ["rent"])
    #expect(report.leftOut.isEmpty)
  }

  @Test func entitiesOfOneNameAreRefusedAndDeepOnesAreRead() throws {
    for rows in ["(1, 'A', 2, 0), (2, 'A', 0, 0), (3, 'B', 0, 0)", "(1, 'A', 0, 0), (2, 'B', 3, 0), (3, 'C', 2, 0)"] {
      let file = try CoreDataFile("CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER); INSERT INTO Z_PRIMARYKEY VALUES \(rows)")
      #expect { try CoreDataStore(file.url) } throws: { "\($0)".contains("entity A or the number 2 twice") || "\($0)".contains("circle") }
    }
    // Each is the super-entity of the next.
    let file = try CoreDataFile(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, i - 1, 0 FROM n;
      CREATE TABLE ZE1 (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZE1 VALUES (1, 2000, 1, 'deep');
      """)
    let factory = try TagEntities.factory()
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: TagEntities.bare, from: "E7")])
    #expect(try factory.values(TagEntities.bare, "name") == ["deep"])
  }

  @Test func rowsAreReadInOrderWithoutASort() throws {
    let file = try CoreDataFile(CoreDataFile.objects)
    let sql = CoreDataRows.sql("ZOBJECT", ["Z_PK", "ZTITLE"], of: [2, 3])
    let plan = try ForeignDatabase.reading(file.url) { connection in
      var lines: [String] = []
      try connection.each("EXPLAIN QUERY PLAN \(sql)") { row in
        for _ in 0..<3 { _ = try row.takeStored() }
        lines.append("\(try row.takeStored())")
      }
      return lines
    }
    #expect(plan.count == 1 && plan.first?.contains("SCAN ZOBJECT") == true, "\(plan)")
  }

  @Test func columnsAreCountedTogether() throws {
    let file = try CoreDataFile("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Wide', 0, 0)")
    let names = (1...1200).map { "ZC\($0)" }
    try file.run("CREATE TABLE ZWIDE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \(names.joined(separator: ", ")))")
    try file.run(
      "INSERT INTO ZWIDE (Z_PK, Z_ENT, ZC1, ZC501, ZC1200) VALUES (1, 1, 1, x'00', 'x'), (2, 1, NULL, NULL, 'y'), (3, 2, 1, 1, 1)")
    let counts = try ForeignDatabase.reading(file.url) {
      try CoreDataCounts($0).counts("ZWIDE", names, where: "Z_ENT = 1")
    }
    #expect(counts.rows == 2 && counts.values.filter { $0.value > 0 } == ["ZC1": 1, "ZC501": 1, "ZC1200": 2])
    #expect(CoreDataCounts.sql("T", ["A", "B"], where: "TRUE").components(separatedBy: "FROM").count == 2)
  }

  @Test func externalDataOfALinkedStoreAreRead() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let reference = try file.external(Data([7]))
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 5", [reference])
    let link = file.folder.appendingPathComponent("elsewhere/Other.sqlite")
    try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = NULL WHERE Z_PK = 9")
    let factory = try NoteEntities.factory()
    try CoreDataStore(link).import(into: factory, NoteEntities.mappings(data: ["photo": .external]))
    let photos = try factory.runtimeDAO(NoteEntities.note).findAll().compactMap { $0["photo"] }.filter { !$0.isNull }
    #expect(photos == [.data(Data([7]))])
  }
}
