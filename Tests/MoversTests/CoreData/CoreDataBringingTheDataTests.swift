import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-core-data.md, section “Bringing the data”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataBringingTheDataTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `the file`() throws {
    try makeCoreDataStore()
    let old = try DAOFactory(store: .file(url), describedBy: [])
    #expect(try old.store.entities().map(\.name) == ["ZPERSON"])
  }

  @Test func `ZPERSON`() throws {
    try makeCoreDataStore()
    let rows = try DAOFactory(store: .file(url), describedBy: []).runtimeDAO("ZPERSON").findAll()
    #expect(rows.first?["ZLASTNAME"] == "Lee")
  }

  @Test func `TIMESTAMP`() throws {
    try makeCoreDataStore()
    let row = try #require(try DAOFactory(store: .file(url), describedBy: []).runtimeDAO("ZPERSON").findFirst())
    if case .real(let seconds)? = row["ZBORN"] { print(Date(timeIntervalSinceReferenceDate: seconds)) }
    #expect(printed.count == 1)
  }
}
