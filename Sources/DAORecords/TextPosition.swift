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
    var position = self
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        position.line += 1
        position.column = 1
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  package var description: String { "line \(line), column \(column)" }
}
