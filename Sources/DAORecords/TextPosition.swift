/// A position in a text that is read.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1. Lines end with `\n` or `\r\n`.
  package var line: Int
  /// The Unicode scalar in the line, from 1.
  package var column: Int

  package init(line: Int = 1, column: Int = 1) {
    self.line = line
    self.column = column
  }

  /// The position after more of the text.
  func after(_ bytes: UnsafeBufferPointer<UInt8>) -> TextPosition {
    // Each byte of a text is counted once more by this: two plain loops, which the compiler makes vectors of.
    var lines = 0
    for byte in bytes { lines &+= byte == UInt8(ascii: "\n") ? 1 : 0 }
    let last = lines > 0 ? bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 : 0
    var columns = lines > 0 ? 1 : column
    for byte in UnsafeBufferPointer(rebasing: bytes[last...]) { columns &+= byte & 0xC0 != 0x80 ? 1 : 0 }
    return TextPosition(line: line + lines, column: columns)
  }

  package var description: String { "line \(line), column \(column)" }
}
