import DAOImport
import DAOKit
import Foundation
import TestCases
import Testing

/// Imports of another process that are killed, and that find the disk full.
@Suite struct ImportInterruptionTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-import-\(UUID().uuidString)")
  private static let count = 100

  /// Runs a body in a folder with a feed, whose records name the one that follows.
  private func withFeed(_ body: (_ feed: URL, _ store: URL) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let records = (1...Self.count).map { number in
      let next = number == Self.count ? "null" : "\(number + 1)"
      return #"{"number": \#(number), "text": "\#(String(repeating: "text \(number) ", count: 40))", "next": \#(next)}"#
    }
    let feed = folder.appendingPathComponent("feed.jsonl")
    try Data(records.joined(separator: "\n").utf8).write(to: feed)
    try body(feed, folder.appendingPathComponent("store.sqlite"))
  }

  /// The numbers that are stored, and how many of them lead to the next.
  private func stored(_ store: URL) throws -> (numbers: [Int64], links: Int) {
    let articles = try DAOFactory(store: .file(store), entities: ImportMark.self).runtimeDAO("article")
    let rows = try articles.findAll(.all.order(by: .ascending(.field("number"))))
    let keys = Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] ?? .null, $0["number"] ?? .null) })
    let numbers = rows.compactMap { if case .integer(let number)? = $0["number"] { number } else { nil } }
    let links = zip(rows, numbers).filter { row, number in keys[row["next"] ?? .null] == .integer(number + 1) }.count
    return (numbers, links)
  }

  @Test("an import that is killed after any batch goes on to the same rows", arguments: [0, 1, 4, 9])
  func killed(after batches: Int) throws {
    try withFeed { feed, store in
      let (process, pipe) = try ImportProbe.run(feed.path, store.path)
      var text = ""
      while text.split(separator: "\n").count < batches {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // It may have gone on before it was killed, and may not have made the store before.
      if batches > 0 {
        let found = try stored(store)
        #expect(found.numbers.count % 10 == 0 && found.numbers == Array(1..<Int64(found.numbers.count + 1)))
        #expect(found.numbers.count >= 10 * batches)
      }
      let (again, lines) = try ImportProbe.run(feed.path, store.path)
      let said = String(decoding: lines.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      again.waitUntilExit()
      #expect(said.hasSuffix("complete\n"), "\(said)")
      let (numbers, links) = try stored(store)
      #expect(numbers == Array(1...Int64(Self.count)) && links == Self.count - 1)
    }
  }

  @Test func aFullDiskLeavesWholeBatchesAndTheImportGoesOn() throws {
    try withFeed { feed, store in
      let (process, pipe) = try ImportProbe.run(feed.path, store.path, "120000")
      let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 3 && said.contains("failed "), "\(said)")
      let batches = said.split(separator: "\n").filter { $0.hasPrefix("stored ") }.count
      #expect((1..<10).contains(batches), "\(said)")
      #expect(try stored(store).numbers == Array(1...Int64(batches * 10)))
      let (again, lines) = try ImportProbe.run(feed.path, store.path)
      #expect(String(decoding: lines.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).hasSuffix("complete\n"))
      again.waitUntilExit()
      #expect(try stored(store).links == Self.count - 1)
    }
  }
}
