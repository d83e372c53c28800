import Foundation

/// Bytes that are read from their beginning to their end.
package struct ByteSource {
  private var bytes: Data
  private let file: FileHandle?

  /// Bytes in memory.
  package init(_ bytes: Data) { (self.bytes, file) = (bytes, nil) }

  /// A file from its beginning.
  /// - Throws: Foundation's error where it can't be opened.
  package init(_ url: URL) throws { (bytes, file) = (Data(), try FileHandle(forReadingFrom: url)) }

  /// Reads the next bytes.
  /// - Returns: how many there were; 0 at the end.
  mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    if let file { bytes = try Self.read(buffer.count, from: file) }
    let count = bytes.copyBytes(to: buffer)
    bytes = file == nil ? bytes.dropFirst(count) : Data()
    return count
  }

  private static func read(_ count: Int, from file: FileHandle) throws -> Data {
    #if canImport(ObjectiveC)
      // The bytes would stay until the caller's pool is emptied.
      try autoreleasepool { try file.read(upToCount: count) ?? Data() }
    #else
      try file.read(upToCount: count) ?? Data()
    #endif
  }
}
