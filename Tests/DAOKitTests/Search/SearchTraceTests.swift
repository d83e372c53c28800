import DAOKit
import DAOTestSupport
import Testing

@Suite("What is traced of a search")
struct SearchTraceTests {
  @Test func `the statements that the store is asked, and not those by which a search table helps itself`() throws {
    let recorder = StatementRecorder()
    let factory = try DAOFactory(store: .inMemory(), entities: Folder.self, Note.self) { recorder.record($0) }
    let notes = factory.runtimeDAO(Note.self)
    recorder.clear()
    let inserted = try recorder.during { try notes.insert(Note("Summer time in Europe", "Clocks go forward")) }
    #expect(inserted.queries.count == 1, "\(inserted.texts)")
    let found = try recorder.during { try notes.findAll(.where(.match(\.title, "summer"))) }
    #expect(found.result.count == 1 && found.queries.count == 1, "\(found.texts)")
    let deleted = try recorder.during { try notes.delete([found.result[0].id ?? 0]) }
    #expect(deleted.queries.count == 1, "\(deleted.texts)")
  }
}
