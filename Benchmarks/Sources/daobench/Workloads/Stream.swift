import DAOKit
import Foundation
import GRDB

extension Workload {
  /// A million rows, one at a time by cursor.
  static let streamByCursor = Workload("stream-1m", per: "row", count: rowCount, quickCount: quickRowCount, limit: 1.3) { stage in
    let url = try stage.millionReadings()
    let c = try CStream(url)
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) { try c.tally() },
      Contestant(.daokit) {
        // What it opens counts too.
        let start = Tally()
        return try readings.withCursor { cursor in
          var tally = start
          while let reading = try cursor.next() { tally.add(reading) }
          return tally
        }
      },
      Contestant(.grdb) { try await pool.read { try GRDBReading.fetchCursor($0).tally(\.reading) } },
      Contestant(.grdbCodable) { try await pool.read { try CodableReading.fetchCursor($0).tally(\.reading) } },
    ]
  } expected: {
    $0.millionTally()
  }

  /// The same as an `AsyncSequence` that the main actor consumes.
  static let streamOnMainActor = Workload("stream-1m (main actor)", per: "row", count: rowCount, quickCount: quickRowCount, limit: 2.0) {
    stage in
    let url = try stage.millionReadings()
    let c = try CStream(url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) { try c.tally() },
      Contestant(.daokit) { try await tallyOnMainActor(readings.stream()) },
    ]
  } expected: {
    $0.millionTally()
  }

  /// The same off the main actor.
  static let streamOffMainActor = Workload("stream-1m (off it)", per: "row", count: rowCount, quickCount: quickRowCount, limit: 2.0) {
    stage in
    let url = try stage.millionReadings()
    let c = try CStream(url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) { try c.tally() },
      Contestant(.daokit) { try await tallyOffMainActor(readings.stream()) },
    ]
  } expected: {
    $0.millionTally()
  }

  private static let rowCount = 1_000_000
  private static let quickRowCount = 100_000
}

extension Stage {
  fileprivate func millionReadings() throws -> URL {
    try store("million") { database in
      for part in 0..<millionParts { try database.insert(Self.samples(part)) }
    }
  }

  /// The digest of the samples.
  fileprivate func millionTally() -> Int {
    var tally = Tally()
    for part in 0..<millionParts { for reading in Self.samples(part) { tally.add(reading) } }
    return tally.digest
  }

  private var millionParts: Int { isQuick ? 1 : 10 }

  private static func samples(_ part: Int) -> [Reading] { Reading.samples(100_000, from: part * 100_000 + 1) }
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

/// What is left of rows that are not kept: a checksum of every value, cheap beside the reading and the same for all, and the memory that it
/// took.
struct Tally {
  private var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  private var count = 0
  private var memory = MemoryWatch()

  var digest: Int { Int(truncatingIfNeeded: sum) }
  var growth: Int { memory.growth }

  mutating func add(_ reading: Reading) {
    mix(reading.id.map(UInt64.init(bitPattern:)))
    mix(reading.sensor)
    mix(reading.note)
    mix(reading.value.bitPattern)
    mix(reading.isValid ? 1 : 0 as UInt64)
    mix(reading.takenAt?.timeIntervalSince1970.bitPattern)
    count += 1
    if count.isMultiple(of: 10_000) { memory.look() }
  }

  // Each value is multiplied in by itself, so that differences within a row do not cancel.

  @inline(__always)
  private mutating func mix(_ value: UInt64) {
    sum = (sum ^ value) &* 0x9E37_79B9_7F4A_7C15
    sum ^= sum >> 32
  }

  @inline(__always)
  private mutating func mix(_ value: UInt64?) {
    mix(value == nil ? 0 : 1 as UInt64)
    if let value { mix(value) }
  }

  /// Its length and its bytes, eight at a time.
  @inline(__always)
  private mutating func mix(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      mix(UInt64(raw.count))
      var offset = 0
      while offset + 8 <= raw.count {
        mix(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var rest: UInt64 = 0
      while offset < raw.count {
        rest = rest << 8 | UInt64(raw[offset])
        offset += 1
      }
      mix(rest)
    }
  }

  @inline(__always)
  private mutating func mix(_ text: String?) {
    mix(text == nil ? 0 : 1 as UInt64)
    if let text { mix(text) }
  }
}

extension Contestant {
  /// A contestant that keeps nothing but a tally.
  fileprivate init(_ rival: Rival, tally: @escaping () async throws -> Tally) {
    self.init(rival) {
      MemoryWatch.giveBack()
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
