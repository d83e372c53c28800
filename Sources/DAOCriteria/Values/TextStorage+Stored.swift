import Foundation

extension AttributeType.TextStorage {
  /// The form in which a store keeps a text.
  /// - Throws: ``ValueProblem`` where the text does not fit.
  func stored(_ text: String) throws -> StoredValue {
    switch self {
    case .nocase, .rtrim: return .text(text)
    case .blob: return .blob(Data(text.utf8))
    case .padded(let width):
      let length = text.unicodeScalars.count
      guard length <= width else { throw ValueProblem("holds \(width) characters, not the \(length) of \(StoredValue.text(text).shown)") }
      guard text.utf8.last != UInt8(ascii: " ") else {
        throw ValueProblem("is filled up with blanks, from which those at the end of \(StoredValue.text(text).shown) can't be told")
      }
      return .text(text + String(repeating: " ", count: width - length))
    }
  }

  /// The text that a stored value stands for.
  /// - Throws: ``ValueProblem`` where the value breaks the form.
  func text(_ stored: StoredValue) throws -> String {
    switch (self, stored) {
    case (.nocase, .text(let text)), (.rtrim, .text(let text)): return text
    case (.padded(let width), .text(let text)):
      guard text.unicodeScalars.count == width else { throw ValueProblem("expects a text of \(width) characters, not \(stored.shown)") }
      return text.withoutBlanksAtEnd
    case (.blob, .blob(let data)):
      let text = String(decoding: data, as: UTF8.self)
      // Bytes that are no UTF-8 are decoded as others.
      guard text.utf8.elementsEqual(data) else { throw ValueProblem("expects the bytes of a text, not \(stored.shown)") }
      return text
    case (.blob, _): throw ValueProblem("expects the bytes of a text, not \(stored.shown)")
    default: throw ValueProblem("expects text, not \(stored.shown)")
    }
  }

  /// A stored value as functions of texts see it: the text that is read, or the value itself where it is none. A text of another width is
  /// one to them.
  func plain(_ stored: StoredValue) -> StoredValue {
    switch (self, stored) {
    case (.padded, .text(let text)): .text(text.withoutBlanksAtEnd)
    case (.blob, .blob): (try? text(stored)).map { .text($0) } ?? stored
    default: stored
    }
  }
}

extension AttributeType {
  /// A stored value as functions of texts see it.
  package func plain(_ stored: StoredValue) -> StoredValue { encodedText.map { $0.plain(stored) } ?? stored }
}
