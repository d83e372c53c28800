import DAOCriteria
import Foundation

// Feeds that arrive from a network. They are received whole before the import begins, into a temporary file: no transaction waits for a
// server, a stream that fails in the middle has imported nothing, and memory stays flat.
extension ImportSource {
  /// Receives a JSON record in each line:
  ///
  /// ```swift
  /// let feed = try await ImportSource.jsonLines(receiving: response.body)      // chunks of bytes
  /// let report = try await people.import(feed)
  /// ```
  ///
  /// Nobody else can read the file. A process that is killed leaves it in the system's folder for temporary files.
  /// - Parameter stream: the bytes, in chunks of any size.
  /// - Throws: the stream's error, `CancellationError`, or Foundation's error where the temporary file can't be written. The file is
  ///   removed then, as it is with the last copy of the source.
  public static func jsonLines<Stream: AsyncSequence>(receiving stream: Stream) async throws -> ImportSource
  where Stream.Element: Sequence<UInt8> { try await received(stream, as: .lines) { $1.append(contentsOf: $0) } }

  /// Receives JSON: a list of records, or one.
  /// - Parameters:
  ///   - stream: the bytes, in chunks of any size.
  ///   - path: the names of the members that lead to the list.
  /// - Throws: as ``jsonLines(receiving:)-(Stream)``.
  public static func json<Stream: AsyncSequence>(receiving stream: Stream, at path: RecordPath = []) async throws -> ImportSource
  where Stream.Element: Sequence<UInt8> { try await received(stream, as: .json(at: path.names)) { $1.append(contentsOf: $0) } }

  /// Receives comma-separated values, whose first line has the names.
  /// - Parameters:
  ///   - stream: the bytes, in chunks of any size.
  ///   - delimiter: the character between cells, of ASCII.
  /// - Throws: as ``jsonLines(receiving:)-(Stream)``.
  public static func csv<Stream: AsyncSequence>(receiving stream: Stream, delimiter: Unicode.Scalar = ",") async throws -> ImportSource
  where Stream.Element: Sequence<UInt8> { try await received(stream, as: .csv(delimiter: delimiter)) { $1.append(contentsOf: $0) } }

  /// Receives a JSON record in each line, from a stream of single bytes such as `URLSession.AsyncBytes`.
  /// - Throws: as ``jsonLines(receiving:)-(Stream)``.
  public static func jsonLines<Stream: AsyncSequence>(receiving stream: Stream) async throws -> ImportSource where Stream.Element == UInt8 {
    try await received(stream, as: .lines) { $1.append($0) }
  }

  /// Receives JSON from a stream of single bytes such as `URLSession.AsyncBytes`.
  /// - Throws: as ``jsonLines(receiving:)-(Stream)``.
  public static func json<Stream: AsyncSequence>(receiving stream: Stream, at path: RecordPath = []) async throws -> ImportSource
  where Stream.Element == UInt8 { try await received(stream, as: .json(at: path.names)) { $1.append($0) } }

  /// Receives comma-separated values from a stream of single bytes such as `URLSession.AsyncBytes`.
  /// - Throws: as ``jsonLines(receiving:)-(Stream)``.
  public static func csv<Stream: AsyncSequence>(receiving stream: Stream, delimiter: Unicode.Scalar = ",") async throws -> ImportSource
  where Stream.Element == UInt8 { try await received(stream, as: .csv(delimiter: delimiter)) { $1.append($0) } }

  private static func received<Stream: AsyncSequence>(
    _ stream: Stream, as form: Form, _ append: (Stream.Element, inout Data) -> Void
  ) async throws -> ImportSource {
    let file = try ReceivedFile()
    let handle = try FileHandle(forWritingTo: file.url)
    defer { try? handle.close() }
    var buffer = Data()
    for try await element in stream {
      append(element, &buffer)
      if buffer.count >= 1 << 20 {
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    // Many streams just end when their task is cancelled: that is no whole feed.
    try Task.checkCancellation()
    try handle.write(contentsOf: buffer)
    return ImportSource(bytes: .received(file), form: form)
  }
}
