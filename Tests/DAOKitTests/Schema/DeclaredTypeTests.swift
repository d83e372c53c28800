import DAOKit
import Foundation
import GRDB
import Testing

/// The comparison of entities with a store when it is opened goes by declared types.
@Suite struct DeclaredTypeTests {
  private static func price(_ type: AttributeType) -> EntityDescription {
    EntityDescription("price", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("amount", type)])
  }

  @Test func `an attribute that would misread its column is refused at opening, and no row is read for that`() throws {
    let folder = try StoreFolder()
    let file = folder.file("store")
    let queue = try DatabaseQueue(path: file.path)
    let (page, size) = try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE price (id INTEGER PRIMARY KEY, amount NUMERIC NOT NULL);
          INSERT INTO price VALUES (1, 18)
          """)
      return (
        try UInt64.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema") ?? 0, try UInt64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      )
    }
    try queue.close()
    // From now on whoever reads a row of the table fails.
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: (page - 1) * size)
    try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(size)))
    try handle.close()

    do {
      _ = try StoreDescription.file(file).open([Self.price(.decimal(.scaled(2)))])
      Issue.record("it was opened")
    } catch DAOError.schemaMismatch(_, let differences) { #expect(differences.map(\.element) == ["amount"]) }
    let engine = try StoreDescription.file(file).open([Self.price(.any)]).engine
    let dao = DAOFactory(over: EngineStore(engine)).runtimeDAO(Self.price(.any))
    let error = #expect(throws: DAOError.self) { try dao.findAll() }
    if case .engine(let failure)? = error { #expect(failure.code & 0xFF == 11) } else { Issue.record("\(String(describing: error))") }
  }
}
