/// Reads the records of a text, one after the other: JSON, JSON lines or CSV.
///
/// ```swift
/// var reader = JSONRecordReader(try ByteSource(url))
/// var record = Record()
/// while try reader.next(&record) { … }
/// ```
///
/// Only one record is in memory at a time.
package protocol RecordReader {
  /// Reads the next record.
  /// - Returns: false at the end of the text.
  /// - Throws: ``RecordProblem`` where the text is not of its form; or the error of a file that can't be read.
  mutating func next(_ record: inout Record) throws -> Bool

  /// Whether `next` may be called again after a problem.
  var goesOn: Bool { get }

  /// Whether the text is one record, and no list of them.
  var isOneRecord: Bool { get }

  /// How many bytes of the text have been read.
  var readCount: Int { get }
}
