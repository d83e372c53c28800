import DAOCriteria
import DAORecords

/// Reads the records of a feed and counts them.
struct FeedReader {
  private var reader: any RecordReader
  /// The path of the list of records; nil where the records are in no list.
  private let path: [String]?
  /// Whether the names of the members are those of a header, the same in all records.
  private let hasHeader: Bool
  /// Whether the header has a name twice: nobody knows which of its cells is meant.
  private var isAmbiguous = false
  private var isChecked = false
  /// How many records were begun, with those that could not be read.
  private(set) var count = 0

  init(_ reader: any RecordReader, path: [String]? = nil, hasHeader: Bool = false) {
    self.hasHeader = hasHeader
    self.reader = reader
    self.path = path
  }

  /// How many bytes have been read.
  var readCount: Int { reader.readCount }

  /// Whether the feed goes on behind a record that could not be read.
  var goesOn: Bool { reader.goesOn && !isAmbiguous }

  /// Reads the next record.
  /// - Returns: false at the end of the feed.
  /// - Throws: ``RecordProblem``, or the error of a file that can't be read.
  mutating func next(_ record: inout Record) throws -> Bool {
    if isAmbiguous { return false }
    do {
      guard try reader.next(&record) else { return false }
      if hasHeader, !isChecked { try checkNames(record) }
    } catch {
      count += 1
      throw error
    }
    count += 1
    return true
  }

  /// - Throws: ``RecordProblem`` where the header has a name twice.
  private mutating func checkNames(_ record: Record) throws {
    isChecked = true
    var known: Set<String> = []
    for (name, _) in record.members() where !name.isEmpty && !known.insert(name).inserted {
      isAmbiguous = true
      throw RecordProblem(TextPosition(), "has the name \"\(name.shown)\" twice in the header")
    }
  }

  /// The origin of the record that was read last.
  func origin(_ position: TextPosition) -> RecordOrigin {
    RecordOrigin(number: count - 1, position: position, path: path.map { reader.isOneRecord ? $0 : $0 + ["\(count - 1)"] } ?? [])
  }
}
