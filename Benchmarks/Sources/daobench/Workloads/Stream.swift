import DAOKit
import Foundation
import GRDB

extension Workload {
  /// A million rows, one at a time by cursor.
  static let streamByCursor = Workload("stream-1m", per: "row", count: rowCount, limit: 1.3) { stage in
    let url = try stage.millionReadings()
    let c = try CStream(url)
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) { try c.tally() },
      Contestant(.daokit) {
        try readings.withCursor { cursor in
          var tally = Tally()
          while let reading = try cursor.next() { tally.add(reading) }
          return tally
        }
      },
      Contestant(.grdb) { try await pool.read { try GRDBReading.fetchCursor($0).tally(\.reading) } },
      Contestant(.grdbCodable) { try await pool.read { try CodableReading.fetchCursor($0).tally(\.reading) } },
    ]
  }

  /// The same as an `AsyncSequence` that the main actor consumes.
  static let streamOnMainActor = Workload("stream-1m (main actor)", per: "row", count: rowCount, limit: 2.0) { stage in
    let url = try stage.millionReadings()
    let c = try CStream(url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) { try c.tally() },
      Contestant(.daokit) { try await tallyOnMainActor(readings.stream()) },
    ]
  }

  /// The same off the main actor.
  static let streamOffMainActor = Workload("stream-1m (off it)", per: "row", count: rowCount, limit: 2.0) { stage in
    let url = try stage.millionReadings()
    let c = try CStream(url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) { try c.tally() },
      Contestant(.daokit) { try await tallyOffMainActor(readings.stream()) },
    ]
  }

  private static let rowCount = 1_000_000
}

extension Stage {
  fileprivate func millionReadings() throws -> URL {
    try store("million") { database in
      for part in 0..<10 { try database.insert(Reading.samples(100_000, from: part * 100_000 + 1)) }
    }
  }
}

@MainActor
private func tallyOnMainActor(_ readings: EntityStream<Reading>) async throws -> Tally {
  var tally = Tally()
  for try await reading in readings { tally.add(reading) }
  return tally
}

private func tallyOffMainActor(_ readings: EntityStream<Reading>) async throws -> Tally {
  var tally = Tally()
  for try await reading in readings { tally.add(reading) }
  return tally
}

extension Cursor {
  fileprivate func tally(_ reading: (Element) -> Reading) throws -> Tally {
    var tally = Tally()
    while let record = try next() { tally.add(reading(record)) }
    return tally
  }
}

/// What is left of rows that are not kept: a checksum of all, cheap enough not to count beside the reading, and the memory that it took.
struct Tally {
  private var sum: UInt64 = 0
  private var count = 0
  private var memory = MemoryWatch()

  var digest: Int { Int(truncatingIfNeeded: sum) }
  var growth: Int { memory.growth }

  mutating func add(_ reading: Reading) {
    let text = reading.sensor.utf8.count &* 64 &+ (reading.note?.utf8.count ?? 63)
    let date = reading.takenAt?.timeIntervalSince1970.bitPattern ?? 1
    sum = sum &* 31 &+ UInt64(bitPattern: reading.id ?? 0) &+ reading.value.bitPattern &+ UInt64(text) &+ date &+ (reading.isValid ? 1 : 0)
    count += 1
    if count.isMultiple(of: 100_000) { memory.look() }
  }
}

extension Contestant {
  /// A contestant that keeps nothing but a tally.
  fileprivate init(_ rival: Rival, tally: @escaping () async throws -> Tally) {
    self.init(rival) {
      let (result, seconds) = try await timed(tally)
      return Lap(value: seconds, digest: result.digest, growth: result.growth)
    }
  }
}

/// Every reading in turn.
private final class CStream {
  private let database: CDatabase
  private let statement: CStatement

  init(_ url: URL) throws {
    database = try CDatabase(url, isReadOnly: true)
    statement = try CStatement(database, "SELECT \(Reading.columns) FROM reading")
  }

  func tally() throws -> Tally {
    var tally = Tally()
    while try statement.step() { tally.add(Reading(statement)) }
    statement.reset()
    return tally
  }
}
