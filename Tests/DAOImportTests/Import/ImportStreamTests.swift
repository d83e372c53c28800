import DAOImport
import DAOKit
import Foundation
import TestCases
import Testing

/// Feeds that arrive as streams of bytes.
@Suite(.serialized) struct ImportStreamTests {
  private struct Broken: Error {}

  private let people: RuntimeDAO<Person>

  init() throws { people = try ImportTests.factory().runtimeDAO(Person.self) }

  private func stream(_ chunks: [Data], failing: Bool = false) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in
      for chunk in chunks { continuation.yield(chunk) }
      continuation.finish(throwing: failing ? Broken() : nil)
    }
  }

  /// The temporary files of streams.
  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path).filter {
        $0.hasPrefix("dao-import-")
      }
    }
  }

  @Test(arguments: TestCases.seeds(200, inSuite: 10)) func `Any chunks are the same feed, in each form`(seed: UInt64) async throws {
    var random = RandomSource(seed: seed)
    let names = (0..<Int.random(in: 1...40, using: &random)).map { "Žofie \($0) 🌲" }
    let objects = names.enumerated().map { #"{"number": \#($0.offset), "name": "\#($0.element)"}"# }
    func chunks(_ text: String) -> [Data] {
      var (rest, chunks) = (Data(text.utf8)[...], [Data]())
      while !rest.isEmpty {
        let count = Int.random(in: 0...min(rest.count, 50), using: &random)
        chunks.append(Data(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return chunks
    }
    let bytes = AsyncStream<UInt8> { continuation in
      for byte in objects.joined(separator: "\n").utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    let sources = [
      try await ImportSource.jsonLines(receiving: stream(chunks(objects.joined(separator: "\n")))),
      try await ImportSource.json(receiving: stream(chunks(#"{"items": [\#(objects.joined(separator: ","))]}"#)), at: "items"),
      try await ImportSource.csv(
        receiving: stream(chunks("number;name\n" + names.enumerated().map { "\($0.offset);\($0.element)\n" }.joined())), delimiter: ";"),
      try await ImportSource.jsonLines(receiving: bytes),
    ]
    for (number, source) in sources.enumerated() {
      let report = try await people.import(source)
      #expect("\(report)" == "person: \(names.count) \(number == 0 ? "inserted" : "unchanged")")
      #expect(report.bytes == report.totalBytes && report.bytes > 0)
    }
    #expect(try await people.findAll(.all.order(by: \.number)).map(\.name) == names)
  }

  @Test func `A stream that breaks off or is cancelled imports nothing, and no file is left`() async throws {
    let before = try files
    let feed = Data(#"{"number": 1, "name": "A"}"#.utf8)
    await #expect(throws: Broken.self) { try await ImportSource.jsonLines(receiving: stream([feed], failing: true)) }
    let (begun, endless) = (AsyncStream<Void>.makeStream(), AsyncStream<Data>.makeStream())
    endless.continuation.yield(feed)
    let receiving = Task {
      begun.continuation.finish()
      return try await ImportSource.jsonLines(receiving: endless.stream)
    }
    for await _ in begun.stream {}
    receiving.cancel()
    await #expect(throws: CancellationError.self) { try await receiving.value }
    #expect(try files == before)

    func importOnce() async throws -> Int {
      let source = try await ImportSource.jsonLines(receiving: stream([feed]))
      let file = try #require(try files.first { !before.contains($0) })
      let path = FileManager.default.temporaryDirectory.appendingPathComponent(file).path
      let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(permissions?.intValue == 0o600)
      // More than once: it stays as long as the source.
      for _ in 0..<2 { try await people.import(source) }
      return try await people.count()
    }
    #expect(try await importOnce() == 1)
    #expect(try files == before)
  }
}
