import DAOCriteria

/// The part of a text that is in memory: it moves on with its reader, and is as large as the longest record.
package final class ByteWindow {
  /// Bytes that are read at once, where nobody says otherwise.
  package static let usualSize = 1 << 17

  private var source: ByteSource
  private let size: Int
  private var capacity: Int
  /// The bytes; those of the text that are known begin with 0 and end before ``end``.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  /// Where the reader is.
  var position = 0
  /// The end of the bytes that have been read.
  private(set) var end = 0
  /// The first byte that the reader still needs.
  private(set) var start = 0
  /// The place of ``start`` in the text.
  private(set) var place = TextPlace()
  private var isAtEnd = false

  init(_ source: ByteSource, size: Int) {
    self.source = source
    self.size = size
    capacity = size
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  /// Forgets the bytes before the position.
  func moveOn() {
    place = place.after(UnsafeBufferPointer(start: bytes + start, count: position - start))
    start = position
  }

  /// The place of the position in the text.
  var currentPlace: TextPlace { place(at: offset) }

  /// The place of a byte behind ``start``.
  func place(at offset: Int) -> TextPlace { place.after(UnsafeBufferPointer(start: bytes + start, count: offset)) }

  /// The bytes from ``start`` to the position.
  var passed: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + start, count: position - start) }

  /// How far the position is behind ``start``.
  @inline(__always)
  var offset: Int { position - start }

  /// The byte at the position; nil at the end of the text.
  @inline(__always)
  func peek() throws -> UInt8? {
    if position == end, try !fill() { return nil }
    return bytes[position]
  }

  /// The byte `distance` after the position; nil where the text has ended before.
  func peek(_ distance: Int) throws -> UInt8? {
    while position + distance >= end { if try !fill() { return nil } }
    return bytes[position + distance]
  }

  /// Reads more bytes behind those that are there. The position and ``start`` may become other numbers for the same bytes.
  /// - Returns: false at the end of the text.
  func fill() throws -> Bool {
    if isAtEnd { return false }
    if start > 0 {
      bytes.update(from: bytes + start, count: end - start)
      position -= start
      end -= start
      start = 0
    }
    if end == capacity {
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      larger.update(from: bytes, count: end)
      bytes.deallocate()
      (bytes, capacity) = (larger, capacity * 2)
    }
    let free = UnsafeMutableBufferPointer(start: bytes + end, count: min(size, capacity - end))
    // A file that can't be read has no more bytes, whoever asks.
    isAtEnd = true
    let count = try source.read(into: free)
    isAtEnd = count == 0
    end += count
    return count > 0
  }

  /// Passes over the byte order mark of UTF-8 at the beginning of a text.
  /// - Returns: whether the text is UTF-16 or UTF-32, as its first bytes show.
  func startsWithOtherEncoding() throws -> Bool {
    var first: [UInt8] = []
    while first.count < 4, let byte = try peek(first.count) { first.append(byte) }
    if first.starts(with: [0xEF, 0xBB, 0xBF]) {
      position += 3
      // No character of the first line.
      start = position
      return false
    }
    return first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]) || first.contains(0)
  }

  /// The character at the position, as messages show it.
  func shownNext(inLine: Bool) throws -> String {
    guard let byte = try peek() else { return "the end of the text" }
    if byte == 0x0A, inLine { return "the end of the line" }
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    var bytes: [UInt8] = []
    while bytes.count < length, let next = try peek(bytes.count) { bytes.append(next) }
    return "'\(String(decoding: bytes, as: UTF8.self).shown)'"
  }
}
