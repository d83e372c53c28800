import DAOCriteria
import DAORecords
import Foundation

/// The records of a feed, and the form in which they stand there.
///
/// ```swift
/// .json(url)                                 // [{…}, {…}], or one {…}
/// .json(data, at: "data.items")              // {"data": {"items": [{…}, {…}]}}
/// .jsonLines(url)                            // a record in each line
/// .csv(url, delimiter: ";")                  // the first line has the names
/// try .values(people)                        // anything Encodable
/// try await .jsonLines(receiving: body)      // a stream of bytes
/// ```
///
/// A file is read while it is imported: at most 4 MB of it, or one larger record, are in memory at a time.
public struct ImportSource: Sendable {
  enum Bytes: Sendable {
    case data(Data)
    case file(URL)
    case received(ReceivedFile)
  }

  enum Form: Sendable {
    case json(at: [String])
    case lines
    case csv(delimiter: Unicode.Scalar)
  }

  private let bytes: Bytes
  private let form: Form

  init(bytes: Bytes, form: Form) {
    self.bytes = bytes
    self.form = form
  }

  /// JSON in a file: a list of records, or one.
  /// - Parameter path: the names of the members that lead to the list.
  public static func json(_ url: URL, at path: RecordPath = []) -> ImportSource {
    ImportSource(bytes: .file(url), form: .json(at: path.names))
  }

  /// JSON: a list of records, or one.
  /// - Parameter path: the names of the members that lead to the list.
  public static func json(_ data: Data, at path: RecordPath = []) -> ImportSource {
    ImportSource(bytes: .data(data), form: .json(at: path.names))
  }

  /// A file with a JSON record in each line.
  public static func jsonLines(_ url: URL) -> ImportSource { ImportSource(bytes: .file(url), form: .lines) }

  /// A JSON record in each line.
  public static func jsonLines(_ data: Data) -> ImportSource { ImportSource(bytes: .data(data), form: .lines) }

  /// A file of comma-separated values, whose first line has the names. An empty cell is null, `""` an empty text.
  /// - Parameter delimiter: the character between cells, of ASCII.
  public static func csv(_ url: URL, delimiter: Unicode.Scalar = ",") -> ImportSource {
    ImportSource(bytes: .file(url), form: .csv(delimiter: delimiter))
  }

  /// Comma-separated values, whose first line has the names. An empty cell is null, `""` an empty text.
  /// - Parameter delimiter: the character between cells, of ASCII.
  public static func csv(_ data: Data, delimiter: Unicode.Scalar = ",") -> ImportSource {
    ImportSource(bytes: .data(data), form: .csv(delimiter: delimiter))
  }

  /// Values in memory, as `JSONEncoder` encodes them; dates as ISO 8601 with milliseconds.
  ///
  /// Swift's own `Encodable` code leaves out properties that are nil, and the row keeps its value: ``AttributeMapping/absent`` says
  /// otherwise.
  /// - Throws: the encoder's error.
  public static func values(_ values: some Sequence<some Encodable>) throws -> ImportSource {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      guard case .text(let text) = try AttributeType.date(.iso8601).stored(.date(date)) else { return }
      try container.encode(text)
    }
    var lines = Data()
    for value in values {
      lines += try encoder.encode(value)
      lines.append(UInt8(ascii: "\n"))
    }
    return .jsonLines(lines)
  }

  /// The size of the feed, in bytes; 0 where that is unknown.
  var byteCount: Int {
    switch bytes {
    case .data(let data): data.count
    case .file(let url): Self.size(of: url)
    case .received(let file): Self.size(of: file.url)
    }
  }

  private static func size(of file: URL) -> Int { (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 }

  /// Opens the feed.
  /// - Throws: Foundation's error where the file can't be opened; ``DAOError/misuse(_:use:)`` for a delimiter that can't be one.
  func reader() throws -> FeedReader {
    let source =
      switch bytes {
      case .data(let data): ByteSource(data)
      case .file(let url): try ByteSource(url)
      // Open, it can be read though it is removed meanwhile.
      case .received(let file): try ByteSource(file.url)
      }
    return switch form {
    case .json(let path): FeedReader(JSONRecordReader(source, .list(at: path)), path: path)
    case .lines: FeedReader(JSONRecordReader(source, .lines))
    case .csv(let delimiter): FeedReader(CSVRecordReader(source, delimiter: try delimiter.ofCells), hasHeader: true)
    }
  }
}

extension Unicode.Scalar {
  /// The byte between cells.
  /// - Throws: ``DAOError/misuse(_:use:)`` for a character that can't be one.
  var ofCells: UInt8 {
    get throws {
      guard isASCII, !["\"", "\n", "\r"].contains(self) else {
        throw DAOError.misuse("CSV with \(debugDescription) between cells", use: "another character of ASCII, such as ',' or ';'")
      }
      return UInt8(ascii: self)
    }
  }
}
