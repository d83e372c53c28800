import DAOKit
import Foundation

/// SQLite's own shell over a database: an answer that no code of the library has touched.
struct SQLiteShell {
  struct Failure: Error, CustomStringConvertible { let description: String }

  let database: URL

  /// The rows of each statement.
  /// - Throws: ``Failure`` where there is no shell, or where a statement fails.
  func rows(of statements: [String]) throws -> [[[StoredValue]]] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output, errors) = (
      folder.appendingPathComponent("in"), folder.appendingPathComponent("out"), folder.appendingPathComponent("errors")
    )
    let script = ".bail on\n.mode quote\n" + statements.map { "\($0);\n.print \(Self.end)\n" }.joined()
    try Data(script.utf8).write(to: input)
    for file in [output, errors] { try Data().write(to: file) }

    let shell = Process()
    shell.executableURL = try Self.path
    shell.arguments = ["-readonly", "-init", "/dev/null", database.path]
    shell.standardInput = try FileHandle(forReadingFrom: input)
    shell.standardOutput = try FileHandle(forWritingTo: output)
    shell.standardError = try FileHandle(forWritingTo: errors)
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else { throw Failure(description: try String(contentsOf: errors, encoding: .utf8)) }

    var reader = QuotedRows(Array(try Data(contentsOf: output)))
    let results = try reader.results(endingIn: Self.end)
    guard results.count == statements.count else {
      throw Failure(description: "\(results.count) answers to \(statements.count) statements")
    }
    return results
  }

  private static let end = "--"

  private static var path: URL {
    get throws {
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin", "/usr/local/bin"]
      guard let path = folders.map({ "\($0)/sqlite3" }).first(where: FileManager.default.isExecutableFile) else {
        throw Failure(description: "SQLite's shell, sqlite3, is not here; Scripts/prepare installs it")
      }
      return URL(fileURLWithPath: path)
    }
  }
}

/// Reads what the shell writes in its mode `quote`: SQL's literals between commas, a row a line; a text may have lines of its own.
private struct QuotedRows {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func results(endingIn end: String) throws -> [[[StoredValue]]] {
    var results: [[[StoredValue]]] = []
    var rows: [[StoredValue]] = []
    let end = Array((end + "\n").utf8)
    while position < bytes.count {
      if bytes[position...].starts(with: end) {
        position += end.count
        results.append(rows)
        rows = []
      } else {
        rows.append(try row())
      }
    }
    return results
  }

  private mutating func row() throws -> [StoredValue] {
    var values: [StoredValue] = []
    while position < bytes.count {
      values.append(try value())
      defer { position += 1 }
      if position < bytes.count, bytes[position] == UInt8(ascii: ",") { continue }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\n") else { break }
      return values
    }
    throw SQLiteShell.Failure(description: "a row without an end")
  }

  private mutating func value() throws -> StoredValue {
    if bytes[position] == UInt8(ascii: "'") { return .text(String(decoding: quoted(), as: UTF8.self)) }
    if bytes[position] == UInt8(ascii: "X") {
      position += 1
      let digits = quoted()
      return .blob(
        Data(
          stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) }))
    }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ","), bytes[position] != UInt8(ascii: "\n") { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    if word == "NULL" { return .null }
    if let integer = Int64(word) { return .integer(integer) }
    guard let real = Double(word) else { throw SQLiteShell.Failure(description: "no literal: \(word)") }
    return .real(real)
  }

  /// What stands in apostrophes, each of which is doubled within.
  private mutating func quoted() -> [UInt8] {
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "'") {
        position += 1
        guard position < bytes.count, bytes[position] == UInt8(ascii: "'") else { break }
      }
      text.append(bytes[position])
      position += 1
    }
    return text
  }
}
