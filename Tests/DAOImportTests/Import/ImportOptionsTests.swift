import DAOImport
import DAOKit
import Foundation
import Testing

/// Batches, dry runs, marks, absent rows, and imports beside each other.
@Suite struct ImportOptionsTests {
  let factory: DAOFactory
  let people: RuntimeDAO<Person>

  init() throws {
    factory = try ImportTests.factory()
    people = factory.runtimeDAO(Person.self)
  }

  private static func feed(_ numbers: some Sequence<Int>, end: String = "") -> ImportSource {
    .jsonLines(Data((numbers.map { #"{"number": \#($0), "name": "n\#($0)"}"# }.joined(separator: "\n") + end).utf8))
  }

  @Test func aDryRunReportsAndStoresNothing() throws {
    try people.import(Self.feed(1...2))
    let report = try people.import(Self.feed(2...1_300), options: ImportOptions(batch: 10, isDryRun: true))
    #expect("\(report)" == "person: 1298 inserted, 1 unchanged")
    #expect(report.isComplete && report.records == 1_299)
    #expect(try people.count() == 2)
  }

  @Test func aFailureLeavesNothingInOneTransactionAndWholeBatchesInSeveral() throws {
    let broken = Self.feed(1...25, end: "\n{")
    let failure = #expect(throws: ImportFailure.self) { try people.import(broken) }
    #expect(failure?.report.records == 0)
    #expect(failure?.problems.first?.line == 26)
    #expect(try people.count() == 0)
    let second = #expect(throws: ImportFailure.self) { try people.import(broken, options: ImportOptions(batch: 10)) }
    #expect(second?.report.records == 20 && second?.report["person"].inserted == 20)
    #expect(try people.count() == 20)
  }

  @Test func aMarkedImportGoesOnBehindItsLastBatch() throws {
    let options = ImportOptions(batch: 10, mark: "feed")
    #expect(throws: ImportFailure.self) { try people.import(Self.feed(1...25, end: "\n{"), options: options) }
    #expect(try factory.runtimeDAO(ImportMark.self).findAll().map { "\($0.records)\($0.link)" } == ["20"])
    // Those before are not read again: not even what is wrong with them.
    let report = try people.import(Self.feed(Array(repeating: -1, count: 20) + Array(21...30)), options: options)
    #expect(report.records == 30 && report["person"].inserted == 10)
    #expect(try people.findAll().compactMap(\.number).min() == 1)
    #expect(try factory.runtimeDAO(ImportMark.self).count() == 0)
  }

  @Test func rowsThatTheFeedDoesNotHaveAreDeletedWithinTheScope() throws {
    try people.insert([
      Person(number: 1, name: "A"), Person(number: 2, name: "B"), Person(number: 3, name: "C", isFavourite: true),
      Person(number: nil, name: "D"),
    ])
    let report = try people.import(Self.feed([1, 5]), deletingAbsent: .init(\.isFavourite == false))
    #expect("\(report)" == "person: 1 inserted, 1 updated, 2 deleted")
    #expect(try people.findAll(.all.order(by: \.number)).map(\.number) == [1, 3, 5])
    // A refused record may be any of the rows.
    let refused = try people.import(
      Self.feed([1], end: "\n7"), deletingAbsent: .everything, options: ImportOptions(failures: .skip(upTo: 1)))
    #expect(refused["person"].deleted == 0)
    #expect(try people.count() == 3)
    #expect(throws: DAOError.self) {
      try people.import(Self.feed([1]), deletingAbsent: .everything, options: ImportOptions(batch: 1, mark: "x"))
    }
  }

  @Test func onlyRowsWithinTheScopeOfTheDAOAreTouched() throws {
    try people.insert([Person(number: 1, name: "A"), Person(number: 2, name: "B", isFavourite: true)])
    let favourites = factory.dao(Favourites.init)
    let report = try favourites.import(Self.feed([2]), deletingAbsent: .everything)
    #expect("\(report)" == "person: 1 updated")
    #expect(try people.count() == 2)
    // The row is there, but hidden: it is neither changed nor stored twice.
    let failure = #expect(throws: ImportFailure.self) { try favourites.import(Self.feed([1])) }
    #expect(failure?.problems.first?.attribute == "number")
  }

  @Test func twoImportsAtOnceStoreEachRowOnce() async throws {
    try await withThrowingTaskGroup(of: ImportReport.self) { group in
      for _ in 0..<4 {
        group.addTask { [people] in try await people.import(Self.feed((1...200).shuffled()), options: ImportOptions(batch: 7)) }
      }
      var inserted = 0
      for try await report in group { inserted += report["person"].inserted }
      #expect(inserted == 200)
    }
    #expect(try await people.count() == 200)
  }

  @Test func observersGetOneEventABatch() async throws {
    let events = try factory.changes(of: Person.self)
    try await people.import(Self.feed(1...25), options: ImportOptions(batch: 10))
    var sizes: [Int] = []
    for await changes in events {
      sizes.append(changes[Person.self].inserted.count)
      if sizes.reduce(0, +) == 25 { break }
    }
    #expect(sizes == [10, 10, 5])
  }

  @Test func aCancelledImportLeavesWholeBatches() async throws {
    let task = HookLog()
    var mapping = ImportMapping<Person>()
    let (stream, signal) = AsyncStream.makeStream(of: Void.self)
    mapping.after { _, record in
      if record.number == 35 {
        signal.yield()
        signal.finish()
      }
      task.add("\(record.number)")
    }
    let hooked = mapping
    let running = Task { [people] in
      try await people.import(Self.feed(1...100_000), hooked, options: ImportOptions(batch: 10))
    }
    for await _ in stream {}
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    let count = try await people.count()
    #expect(count >= 30 && count < 100_000 && count % 10 == 0)
  }

  @Test func aLoopRunsAnImportAndSeesItsProgress() async throws {
    let feed = Self.feed(1...25)
    var reports: [ImportReport] = []
    for try await report in people.importing(feed, options: ImportOptions(batch: 10)) {
      reports.append(report)
      #expect(try await people.count() == report["person"].inserted)
    }
    #expect(reports.map(\.records) == [10, 20, 25])
    #expect(reports.map(\.isComplete) == [false, false, true])
    let bytes = reports.map(\.bytes)
    #expect(bytes[0] > 0 && bytes[0] < bytes[1] && bytes[1] < bytes[2] && bytes[2] == reports[0].totalBytes)
    for try await _ in people.importing(Self.feed(26...99), options: ImportOptions(batch: 10)) { break }
    #expect(try await people.count() == 35)
  }

  @Test func aHookThatFailsForTheStoreEndsTheImport() throws {
    var mapping = ImportMapping<Person>()
    mapping.after { _, _ in throw DAOError.unsupported("no more") }
    #expect(throws: DAOError.self) {
      try people.import(Self.feed(1...3), mapping, options: ImportOptions(failures: .skip(upTo: 9)))
    }
    #expect(try people.count() == 0)
  }

  @Test func valuesAndCellsAreRecordsToo() throws {
    struct Own: Encodable {
      let number: Int
      let name: String
      let born: Date?
    }
    try people.import(.values([Own(number: 1, name: "A", born: Date(timeIntervalSince1970: 0)), Own(number: 2, name: "B", born: nil)]))
    #expect(try people.findFirst(.where(\.number == 1))?.born == Date(timeIntervalSince1970: 0))
    let csv = "number;full_name;born;employer;salary\r\n1;;1970-01-02;X;1.5\r\n3;\"C;\n\";;;\r\n4;\"\";;;\r\n"
    let failure = #expect(throws: ImportFailure.self) { try people.import(.csv(Data(csv.utf8), delimiter: ";")) }
    #expect(failure?.description == "record 0, line 2, column 3, /full_name: person.name can't be null")
    let report = try people.import(
      .csv(Data(csv.utf8), delimiter: ";"), options: ImportOptions(failures: .skip(upTo: 1)))
    #expect(report["person"].inserted == 2)
    #expect(try people.findFirst(.where(\.number == 3))?.name == "C;\n")
    #expect(try people.findFirst(.where(\.number == 4))?.name == "")
  }
}

/// The people that the user likes.
private final class Favourites: DAO<Person>, @unchecked Sendable {
  override var scope: Filter<Person> { \.isFavourite == true }
}
