import DAOImport
import DAOKit
import Foundation
import GRDB
import Testing

/// An import is done once, whole or not at all, and changes nothing of the old store.
@Suite struct CoreDataOnceTests {
  @Test func commitsInTheWALAreRead() throws {
    let file = try CoreDataFile(isWAL: true, CoreDataFile.notes)
    let before = try file.contents()
    #expect(before["Model.sqlite-wal"]?.isEmpty == false)
    // The app's connection is open, and the WAL has an index.
    let factory = try NoteEntities.factory()
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings())
    #expect(try factory.runtimeDAO(NoteEntities.note).count() == 3)
    #expect(try file.contents() == before)
    // Copied from elsewhere, or after a crash, it has none.
    let copy = try CoreDataFile()
    try copy.close()
    for (name, data) in before { try data.write(to: copy.folder.appendingPathComponent(name)) }
    let own = try copy.contents()
    let other = try NoteEntities.factory()
    try CoreDataStore(copy.url).import(into: other, NoteEntities.mappings())
    #expect(try other.lines(NoteEntities.note) == factory.lines(NoteEntities.note))
    #expect(try copy.contents() == own)
  }

  @Test func aClosedFileInWALModeIsRead() throws {
    let file = try CoreDataFile(isWAL: true, CoreDataFile.notes)
    try file.close()
    let before = try file.contents()
    #expect(before.keys.sorted() == ["Model.sqlite"])
    try CoreDataStore(file.url).import(into: NoteEntities.factory(), NoteEntities.mappings())
    #expect(try file.contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path) == ["Model.sqlite"])
  }

  @Test func anImportIsDoneOnce() async throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let old = try CoreDataStore(file.url)
    let factory = try NoteEntities.factory()
    let first = try await old.import(into: factory, NoteEntities.mappings(), once: "notes")
    let second = try await old.import(into: factory, NoteEntities.mappings(), once: "notes")
    #expect(!first.isRepeated && second.isRepeated && second.counts.isEmpty)
    #expect("\(second)" == "imported before")
    #expect(try await factory.runtimeDAO(NoteEntities.note).count() == 3)
    // An import that fails leaves no mark.
    try file.run("UPDATE ZCDNOTE SET ZTITLE = NULL WHERE Z_PK = 9")
    await #expect(throws: ImportFailure.self) { try await old.import(into: factory, NoteEntities.mappings(), once: "again") }
    #expect(try await factory.runtimeDAO(ImportMark.self).findAll().map(\.name) == ["notes"])
    // A feed can't go on from this mark.
    let tags = factory.runtimeDAO(NoteEntities.tag)
    await #expect(throws: DAOError.self) {
      try await tags.import(.jsonLines(Data(#"{"name": "new"}"#.utf8)), options: ImportOptions(batch: 1, mark: "notes"))
    }
  }

  @Test func twoImportsAtOnceAreOne() async throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let old = try CoreDataStore(file.url)
    let factory = try NoteEntities.factory()
    let reports = try await withThrowingTaskGroup(of: ImportReport.self) { group in
      for _ in 1...4 { group.addTask { try await old.import(into: factory, NoteEntities.mappings(), once: "notes") } }
      return try await group.reduce(into: [ImportReport]()) { $0.append($1) }
    }
    #expect(reports.filter(\.isRepeated).count == 3)
    #expect(try await factory.runtimeDAO(NoteEntities.note).count() == 3)
  }

  @Test func anImportThatIsCancelledLeavesNothing() async throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let old = try CoreDataStore(file.url)
    let factory = try NoteEntities.factory()
    var folders = ImportMapping<DynamicEntity>()
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let isCancelled = DispatchSemaphore(value: 0)
    folders.after { _, record in
      if record["name"] != "All" { return }
      reach.yield()
      // The next statement finds that the task is cancelled.
      isCancelled.wait()
    }
    let mappings = NoteEntities.mappings().dropLast() + [.entity(describedBy: NoteEntities.folder, from: "CDFolder", folders)]
    let task = Task { try await old.import(into: factory, Array(mappings), once: "notes") }
    for await _ in reached { break }
    task.cancel()
    isCancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    for entity in NoteEntities.all { #expect(try await factory.runtimeDAO(entity).count() == 0) }
    #expect(try await old.import(into: factory, NoteEntities.mappings(), once: "notes").isRepeated == false)
  }
}
