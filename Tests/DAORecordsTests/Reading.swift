import Foundation

@testable import DAORecords

/// Reads all records of a text, which reaches its reader a few bytes at a time.
func read(json text: String, _ form: JSONRecordReader.Form = .list(), window: Int = 1) -> ReadRecords {
  read(json: Data(text.utf8), form, window: window)
}

func read(json bytes: Data, _ form: JSONRecordReader.Form = .list(), window: Int = 1) -> ReadRecords {
  var reader = JSONRecordReader(ByteSource(bytes), form, window: window)
  return ReadRecords(&reader)
}

func read(csv text: String, delimiter: UInt8 = UInt8(ascii: ","), window: Int = 1) -> ReadRecords {
  read(csv: Data(text.utf8), delimiter: delimiter, window: window)
}

func read(csv bytes: Data, delimiter: UInt8 = UInt8(ascii: ","), window: Int = 1) -> ReadRecords {
  var reader = CSVRecordReader(ByteSource(bytes), delimiter: delimiter, window: window)
  return ReadRecords(&reader)
}

/// The records of a text as JSON, and the problems between them.
struct ReadRecords: Equatable {
  var records: [String] = []
  var problems: [String] = []
  /// The position of each record, and that of its last value.
  var positions: [[String]] = []

  init(_ reader: inout some RecordReader) {
    var record = Record()
    while true {
      do {
        guard try reader.next(&record) else { return }
        records.append(record.duplicateName.map { "twice: \(record.text(of: $0))" } ?? record.node().json)
        positions.append(["\(record.position(of: 0))", "\(record.position(of: record.tokens.count - 1))"])
      } catch {
        problems.append("\(error)")
        if !reader.goesOn { return }
      }
    }
  }
}
