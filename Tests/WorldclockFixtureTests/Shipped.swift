import Foundation
import GRDB

@testable import WorldclockFixture

/// The committed database and what its README says of it.
enum Shipped {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures", isDirectory: true)
  static let url = folder.appendingPathComponent("worldclock.sqlite")

  static func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: url.path, configuration: configuration).read(value)
  }

  /// The value of a line `name: value` of the README.
  static func readmeValue(_ name: String) throws -> String? {
    try readmeLines().first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  /// Row counts by table, from the README's table.
  static func readmeCounts() throws -> [String: Int] {
    let pairs = try readmeLines().compactMap { line -> (String, Int)? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let count = Int(cells[1]) else { return nil }
      return (cells[0].trimmingCharacters(in: ["`"]), count)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private static func readmeLines() throws -> [Substring] {
    try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8).split(separator: "\n")
  }
}

/// What the machine that runs the tests has.
enum Machine {
  static let zoneinfo = URL(fileURLWithPath: "/usr/share/zoneinfo", isDirectory: true)
  static let hasZoneinfo = FileManager.default.fileExists(atPath: zoneinfo.appendingPathComponent("zone1970.tab").path)
  static let zdump = URL(fileURLWithPath: "/usr/bin/zdump")
  static let zic = URL(fileURLWithPath: "/usr/sbin/zic")
  static let zoneSource = zoneinfo.appendingPathComponent("tzdata.zi")

  static func has(_ files: URL...) -> Bool {
    files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  static func sqliteVersion() throws -> String? {
    try DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }

  /// Whether this machine has the versions that made the committed file.
  static func madeTheShipped() throws -> Bool {
    let (data, sqlite) = (try Shipped.readmeValue("tzdata"), try Shipped.readmeValue("sqlite"))
    return try hasZoneinfo && data == timeZoneDataVersion(of: zoneinfo) && sqlite == sqliteVersion()
  }

  /// A program's output; throws where the program fails.
  static func output(of program: URL, _ arguments: [String]) throws -> String {
    #if os(Linux) || os(macOS)
      struct Failed: Error {
        let program: URL
        let status: Int32
      }
      let process = Process()
      process.executableURL = program
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failed(program: program, status: process.terminationStatus) }
      return String(decoding: bytes, as: UTF8.self)
    #else
      throw CocoaError(.featureUnsupported)
    #endif
  }
}

/// A folder of the test's own, removed at its end.
func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("worldclock-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
