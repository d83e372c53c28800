import DAOCriteria
import DAORecords

/// Reads the records of a feed and counts them.
struct FeedReader {
  private var reader: any RecordReader
  /// The path of the list of records; nil where the records are in no list.
  private let path: [String]?
  /// How many records were begun, with those that could not be read.
  private(set) var count = 0

  init(_ reader: any RecordReader, path: [String]?) {
    self.reader = reader
    self.path = path
  }

  /// How many bytes have been read.
  var readCount: Int { reader.readCount }

  /// Whether the feed goes on behind a record that could not be read.
  var goesOn: Bool { reader.goesOn }

  /// Reads the next record.
  /// - Returns: false at the end of the feed.
  /// - Throws: ``RecordProblem``, or the error of a file that can't be read.
  mutating func next(_ record: inout Record) throws -> Bool {
    do {
      guard try reader.next(&record) else { return false }
    } catch {
      count += 1
      throw error
    }
    count += 1
    return true
  }

  /// The origin of the record that was read last.
  func origin(_ position: TextPosition) -> RecordOrigin {
    RecordOrigin(number: count - 1, position: position, path: path.map { $0 + ["\(count - 1)"] } ?? [])
  }
}

/// The record of a feed that a problem is of.
struct RecordOrigin: Sendable {
  /// The number of the record in the feed, from 0.
  let number: Int
  /// The position of its first character.
  let position: TextPosition
  /// The names that lead to it in the text.
  let path: [String]
}
