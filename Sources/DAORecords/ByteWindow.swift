import DAOCriteria

/// The part of a text that is in memory: it moves on with its reader, and is as large as the longest record.
package final class ByteWindow {
  /// The number of bytes that are read at once by default.
  package static let usualSize = 1 << 17
  /// The size of the longest record, in bytes. A text that is one record without an end does not take all memory.
  package static let longestRecord = 1 << 26

  private var source: ByteSource
  private let size, longest: Int
  private var capacity: Int
  /// The bytes in memory, of which those before ``end`` are the text's.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  /// The index of the next byte to read.
  var index = 0
  /// The index behind the last byte of the text that is in memory.
  private(set) var end = 0
  /// The index of the first byte that the reader still needs.
  private(set) var start = 0
  /// The position of ``start`` in the text.
  private(set) var startPosition = TextPosition()
  private var isAtEnd = false
  /// The problem of a record that was too long. Nothing is read behind it.
  private var tooLong: RecordProblem?
  /// How many bytes have been taken from the source.
  private var taken = 0

  init(_ source: ByteSource, size: Int, longest: Int) {
    self.source = source
    (self.size, self.longest) = (size, longest)
    capacity = size
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  /// Forgets the bytes that have been read.
  func moveOn() {
    startPosition = position
    start = index
  }

  /// The position of the next byte in the text.
  var position: TextPosition { position(at: offset) }

  /// The position of a byte that is `offset` behind ``start``.
  func position(at offset: Int) -> TextPosition { startPosition.after(UnsafeBufferPointer(start: bytes + start, count: offset)) }

  /// The bytes from ``start`` on that have been read.
  var passed: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + start, count: offset) }

  /// How many bytes from ``start`` on have been read.
  @inline(__always)
  var offset: Int { index - start }

  /// How many bytes of the text have been read.
  var readCount: Int { taken - (end - index) }

  /// The next byte; nil at the end of the text.
  @inline(__always)
  func peek() throws -> UInt8? {
    if index == end, try !fill() { return nil }
    return bytes[index]
  }

  /// The byte `distance` behind the next one; nil where the text has ended before.
  func peek(_ distance: Int) throws -> UInt8? {
    while index + distance >= end { if try !fill() { return nil } }
    return bytes[index + distance]
  }

  /// Reads more bytes of the text. The indexes of those that are there become smaller by ``start``.
  /// - Returns: false at the end of the text.
  /// - Throws: ``RecordProblem`` where a record is too long, and then in every later call; or the error of a file that can't be read, after
  ///   which every later call returns false.
  func fill() throws -> Bool {
    if let tooLong { throw tooLong }
    if isAtEnd { return false }
    if start > 0 {
      bytes.update(from: bytes + start, count: end - start)
      index -= start
      end -= start
      start = 0
    }
    isAtEnd = true
    if end == capacity {
      guard capacity < longest else {
        let problem = RecordProblem(startPosition, "has a record of more than \(longest) bytes")
        tooLong = problem
        throw problem
      }
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      larger.update(from: bytes, count: end)
      bytes.deallocate()
      (bytes, capacity) = (larger, capacity * 2)
    }
    let count = try source.read(into: UnsafeMutableBufferPointer(start: bytes + end, count: min(size, capacity - end)))
    isAtEnd = count == 0
    end += count
    taken += count
    return count > 0
  }

  /// Passes over the byte order mark of UTF-8 at the beginning of a text.
  /// - Returns: whether the text is UTF-16 or UTF-32, as its first bytes show.
  func startsWithOtherEncoding() throws -> Bool {
    var first: [UInt8] = []
    while first.count < 4, let byte = try peek(first.count) { first.append(byte) }
    if first.starts(with: [0xEF, 0xBB, 0xBF]) {
      index += 3
      // The mark is no character of the first line.
      start = index
      return false
    }
    return first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]) || first.contains(0)
  }

  /// The next character, as messages show it.
  func shownNext(inLine: Bool) throws -> String {
    guard let byte = try peek() else { return "the end of the text" }
    if byte == 0x0A, inLine { return "the end of the line" }
    let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    var bytes: [UInt8] = []
    while bytes.count < length, let next = try peek(bytes.count) { bytes.append(next) }
    return "'\(String(decoding: bytes, as: UTF8.self).shown)'"
  }
}
