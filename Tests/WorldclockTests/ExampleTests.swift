import Foundation
import Testing

/// The example as a person runs it.
@Suite("The world clock")
struct ExampleTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("worldclock-\(UUID().uuidString)")

  private struct Output {
    let status: Int32
    let text: String
    let errors: String
  }

  private func run(_ arguments: String..., data: URL? = nil) throws -> Output { try run(arguments, data: data) }

  /// The example with its output, before it runs.
  private func process(_ arguments: [String], data: URL? = nil) throws -> (Process, Pipe) {
    let (process, output) = (Process(), Pipe())
    process.standardOutput = output
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("worldclock")
    if let executable = process.executableURL, !FileManager.default.isExecutableFile(atPath: executable.path) {
      // The test runner itself lies elsewhere where XCTest's bundle is loaded; the products are beside the bundle then.
      process.executableURL = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent().appendingPathComponent("worldclock")
    }
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": (data ?? folder).path]) { $1 }
    return (process, output)
  }

  private func run(_ arguments: [String], data: URL? = nil) throws -> Output {
    let (process, output) = try process(arguments, data: data)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Output(status: process.terminationStatus, text: text, errors: messages)
  }

  private final class Marker {}

  @Test func `copies its store, then uses it again, and keeps its notes`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try run("SK")
    #expect(first.status == 0)
    #expect(first.text.contains("copied from"))
    #expect(first.text.contains("Europe/Prague"))
    #expect(first.text.contains("added: looked at Europe/Prague"))
    #expect(first.text.contains("deleted all, and rolled back: there are 1"))
    #if !canImport(Darwin)
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("worldclock/worldclock.sqlite").path))
    #endif

    let second = try run("AT")
    #expect(second.text.contains("reused: "))
    #expect(!second.text.contains("copied from"))
    let written = second.text.components(separatedBy: "Your notes").last ?? ""
    #expect(written.contains("looked at Europe/Prague"))
    #expect(written.contains("there are 2"))
  }

  @Test func `brings notes from a feed and writes them to one`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = ["--store", folder.appendingPathComponent("notes.sqlite").path]
    let feed = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures/notes.json").path
    #expect(try run(["notes", "import", feed] + store).text == "note: 2 inserted\n")
    let file = folder.appendingPathComponent("written.json")
    #expect(try run(["notes", "export", file.path] + store).text == "2 notes\n")
    #expect(
      try String(contentsOf: file, encoding: .utf8) == """
        [
        {"id": "6f1f4a3e-2f0b-4a57-9d9a-4d8a8f3c1a01", "text": "the office", "created": "2026-11-28T09:00:00.000Z", \
        "zone": "Europe/Madrid"},
        {"id": "6f1f4a3e-2f0b-4a57-9d9a-4d8a8f3c1a02", "text": "the holidays", "created": "2026-11-28T10:00:00.000Z", \
        "zone": "Atlantic/Canary"}
        ]

        """)
    #expect(try run(["notes", "import", file.path] + store).text == "note: 2 unchanged\n")
    try Data(#"[{"id": "x", "zone": "Europe/Nowhere", "text": "?", "created": "soon"}]"#.utf8).write(to: file)
    let refused = try run(["notes", "import", file.path] + store)
    #expect(refused.status != 0 && refused.text.contains("/0/id: note.id expects a UUID") && refused.text.contains("/0/created"))
  }

  @Test func `a list follows the commits of another process, until it is interrupted`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("watched.sqlite").path
    let (watching, output) = try process(["watch", "SK", "--store", store])
    try watching.run()
    var text = ""
    /// Reads on until a text has come; false at the end.
    func wait(for part: String) -> Bool {
      while !text.contains(part) {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return false }
        text += String(decoding: data, as: UTF8.self)
      }
      return true
    }
    #expect(wait(for: "1 zone of SK") && wait(for: "    Europe/Prague"))
    #expect(try run("SK", "--store", store, "--comment", "Europe/Prague=home").text.contains("Your comment on Europe/Prague: home"))
    #expect(wait(for: "~   Europe/Prague                    home"))
    watching.interrupt()
    #expect(wait(for: "ended"))
    watching.waitUntilExit()
    #expect(watching.terminationStatus == 0)
  }

  @Test func `lists pages, reports without loading zones, and shows its SQL`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("own/place.sqlite").path
    let output = try run("--store", store, "--page", "2", "--sql")
    #expect(output.text.contains("page 2 of 63"))
    #expect(output.text.contains("United States"))
    #expect(
      output.errors.contains(
        #"SELECT "country", COUNT(*), MIN("standardOffset"), MAX("standardOffset") FROM "country_zone" GROUP BY "country""#))
    #expect(output.errors.contains(#"INSERT INTO "note""#) && output.errors.contains("ROLLBACK"))
    #expect(FileManager.default.fileExists(atPath: store))
  }

  @Test func `a newer release's data are merged: notes, edits and what they are about stay, and the report tells`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for wrong in [["--release", "3"], ["--comment", "home"], ["--comment", "Nowhere=home"]] { #expect(try run(wrong).status != 0) }
    // One of them has made the newer release's store.
    try? FileManager.default.removeItem(at: folder)
    _ = try run("CA", "--release", "1", "--comment", "America/Vancouver=home")
    let before = try run("CA", "--release", "1")
    #expect(before.text.contains("reused: "))
    // British Columbia has kept its clocks ahead since November 2026.
    let vancouver = try #require(before.text.split(separator: "\n").first { $0.contains("America/Vancouver") })
    #expect(vancouver.contains("changes 2"))

    let second = try run("CA")
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.text.contains("upgraded from worldclock.sqlite, version 1"), "\(second.text)")
    #expect(second.text.contains("transition: "))
    // The user's comment and the newer data's stand against each other.
    #expect(second.text.contains("comment 'home'") && second.text.contains("→ mine"))
    #expect(second.text.contains("looked at America/Cambridge_Bay"))
    #expect(second.text.components(separatedBy: "Your notes").last?.contains("there are 3") == true)
    #expect(try run("CA").text.contains("reused: "))
    #if !canImport(Darwin)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("worldclock").path)
      #expect(files.filter { $0.contains(".base-") }.count == 1)
    #endif
  }

  @Test func `starts anew with --reset`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run()
    let output = try run("--reset")
    #expect(output.text.contains("copied from"))
    #expect(output.text.contains("there are 1"))
  }

  @Test func `says what is wrong with a country that there is not`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = try run("XX")
    #expect(output.status != 0)
    #expect(output.errors.contains("no country has the key XX"))
  }

  @Test func `--reset deletes no file and no folder that is not its store`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inner, text) = (folder.appendingPathComponent("mine"), folder.appendingPathComponent("thesis.txt"))
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data("words".utf8).write(to: inner.appendingPathComponent("precious"))
    try Data("words".utf8).write(to: text)
    #expect(try run("--store", inner.path, "--reset").status != 0)
    #expect(try run("--store", text.path, "--reset").status != 0)
    #expect(try run("--store", "", "--reset").status != 0)
    #expect(try Data(contentsOf: text) == Data("words".utf8))
    #expect(try Data(contentsOf: inner.appendingPathComponent("precious")) == Data("words".utf8))
  }
}
