import Foundation
import GRDB

/// A reading as GRDB's documentation tells a careful user to write it: columns read by position, and dates converted by hand.
struct GRDBReading: FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "reading"

  enum Columns {
    static let id = Column("id")
    static let sensor = Column("sensor")
    static let note = Column("note")
    static let value = Column("value")
    static let isValid = Column("isValid")
    static let takenAt = Column("takenAt")
  }

  static var databaseSelection: [any SQLSelectable] {
    [Columns.id, Columns.sensor, Columns.note, Columns.value, Columns.isValid, Columns.takenAt]
  }

  var reading: Reading

  init(_ reading: Reading) { self.reading = reading }

  init(row: Row) {
    reading = Reading(
      id: row[0], sensor: row[1], note: row[2], value: row[3], isValid: row[4],
      takenAt: (row[5] as Int64?).map { Date(timeIntervalSince1970: Double($0) / 1000) })
  }

  func encode(to container: inout PersistenceContainer) {
    container[Columns.id] = reading.id
    container[Columns.sensor] = reading.sensor
    container[Columns.note] = reading.note
    container[Columns.value] = reading.value
    container[Columns.isValid] = reading.isValid
    container[Columns.takenAt] = reading.takenAt.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { reading.id = inserted.rowID }
}

/// A reading as a `Codable` record.
struct CodableReading: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "reading"

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }
  // `millisecondsSince1970` would cut a part of a millisecond off where the double is a little below the whole one.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .custom { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  var id: Int64?
  var sensor: String
  var note: String?
  var value: Double
  var isValid: Bool
  var takenAt: Date?

  init(_ reading: Reading) {
    id = reading.id
    sensor = reading.sensor
    note = reading.note
    value = reading.value
    isValid = reading.isValid
    takenAt = reading.takenAt
  }

  var reading: Reading { Reading(id: id, sensor: sensor, note: note, value: value, isValid: isValid, takenAt: takenAt) }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
