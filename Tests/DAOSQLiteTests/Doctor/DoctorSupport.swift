import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Every name in a folder and the bytes of every file, those of a WAL's index aside, which whoever reads writes to.
func everything(in folder: String) throws -> [String: Data] {
  var found: [String: Data] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
    found[name] = name.hasSuffix("-shm") ? Data() : FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
  }
  return found
}

/// What the doctor finds, with the folder shown to be as it was.
func examined(_ url: URL, _ doctor: StoreDoctor = StoreDoctor(), sourceLocation: SourceLocation = #_sourceLocation) throws -> DoctorReport {
  let folder = url.deletingLastPathComponent().path
  let before = try everything(in: folder)
  defer { #expect((try? everything(in: folder)) == before, sourceLocation: sourceLocation) }
  return try doctor.examine(url)
}

extension DoctorReport {
  var kinds: [Kind] { findings.map(\.kind) }

  func finding(_ kind: Kind) -> Finding? { findings.first { $0.kind == kind } }
}

/// Makes a database with GRDB alone.
func database(_ url: URL, _ sql: String) throws {
  let queue = try DatabaseQueue(path: url.path)
  try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
  try queue.close()
}

/// Runs the repairs of a report as another tool would.
func repair(_ url: URL, by report: DoctorReport) throws {
  let queue = try DatabaseQueue(path: url.path)
  try queue.writeWithoutTransaction { db in for statement in report.repairSQL { try db.execute(sql: statement) } }
  try queue.close()
}
