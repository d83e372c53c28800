import DAOCriteria

/// A record as it was read: its bytes, and a token for each value in them.
///
/// A value is known by the number of its token; the record itself is 0.
package struct Record {
  /// A value, or the name of a member.
  struct Token {
    let kind: Kind
    /// Whether the text is not what its bytes are: it has escapes in JSON, or quotes in quotes in CSV.
    var isEscaped = false
    /// Whether its bytes are among the names of the record.
    var isName = false
    /// Its bytes; those of a text without its quotes.
    var start: Int
    var count: Int
    /// The number of the token behind the value and all that is in it.
    var next: Int
    /// How many values a list has, and how many members an object.
    var items = 0
  }

  /// The kind of a value.
  package enum Kind: Sendable {
    case null, bool, number, text
    /// Values one after the other.
    case list
    /// Names, each with its value behind it.
    case object
    /// A cell of CSV, whose type only its reader knows.
    case cell
    /// A cell with nothing in it, not even quotes.
    case blank
  }

  var tokens: [Token] = []
  var bytes: [UInt8] = []
  /// The bytes of names that stand elsewhere in the text.
  var names: [UInt8] = []
  /// The position of its first byte in the text.
  package internal(set) var position = TextPosition()

  /// The first name that its object has twice.
  package internal(set) var duplicateName: Int?

  package init() {}

  /// Begins a record.
  /// - Parameter names: the bytes of the names of its members, where they stand elsewhere.
  mutating func clear(at position: TextPosition, names: [UInt8] = []) {
    tokens.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    self.names = names
    self.position = position
    duplicateName = nil
  }

  /// Adds a token.
  @inline(__always)
  mutating func add(_ kind: Kind, at start: Int, _ count: Int, isEscaped: Bool = false, isName: Bool = false) {
    tokens.append(Token(kind: kind, isEscaped: isEscaped, isName: isName, start: start, count: count, next: tokens.count + 1))
  }
}

extension Record {
  /// The kind of a value.
  package func kind(of value: Int = 0) -> Kind { tokens[value].kind }

  /// The value of a member of an object; nil where it has none of this name.
  package func member(_ name: String, of object: Int = 0) -> Int? {
    guard tokens[object].kind == .object else { return nil }
    var name = name
    return name.withUTF8 { name in
      var member = object + 1
      while member < tokens[object].next {
        if isText(member, name) { return member + 1 }
        member = tokens[member + 1].next
      }
      return nil
    }
  }

  /// The names and values of an object's members, in their order; empty for other values.
  package func members(of object: Int = 0) -> [(name: String, value: Int)] {
    guard tokens[object].kind == .object else { return [] }
    var members: [(name: String, value: Int)] = []
    var member = object + 1
    while member < tokens[object].next {
      members.append((text(of: member), member + 1))
      member = tokens[member + 1].next
    }
    return members
  }

  /// The values of a list, in their order; empty for other values.
  package func items(of list: Int) -> [Int] {
    guard tokens[list].kind == .list else { return [] }
    var items: [Int] = []
    var item = list + 1
    while item < tokens[list].next {
      items.append(item)
      item = tokens[item].next
    }
    return items
  }

  /// The text of a text or a cell; the digits of a number; the bytes of any other value.
  package func text(of value: Int) -> String {
    let token = tokens[value]
    let text = (token.isName ? names : bytes)[token.start..<token.start + token.count]
    if !token.isEscaped { return String(decoding: text, as: UTF8.self) }
    return String(decoding: token.kind == .cell ? Self.withoutDoubledQuotes(text) : JSONEscapes.unescaped(text), as: UTF8.self)
  }

  /// The bytes of a value that has no escapes; nil where it has.
  package func withBytes<Result>(of value: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result? {
    let token = tokens[value]
    if token.isEscaped { return nil }
    return try (token.isName ? names : bytes).withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[token.start..<token.start + token.count]))
    }
  }

  /// The truth value of a value of this kind.
  package func bool(of value: Int) -> Bool { bytes[tokens[value].start] == UInt8(ascii: "t") }

  /// A value as a tree.
  package func node(of value: Int = 0) -> JSONNode {
    // From the last token to the first, so that no text is too deep for the stack: the values in a list or object are there before it.
    var nodes: [JSONNode] = []
    for token in (value..<tokens[value].next).reversed() {
      switch tokens[token].kind {
      case .null, .blank: nodes.append(.null)
      case .bool: nodes.append(.bool(bool(of: token)))
      case .number: nodes.append(.number(text(of: token)))
      case .text, .cell: nodes.append(.text(text(of: token)))
      case .list: nodes.append(.list((0..<tokens[token].items).compactMap { _ in nodes.popLast() }))
      case .object:
        nodes.append(
          .object(
            (0..<tokens[token].items).compactMap { _ in
              guard case .text(let name)? = nodes.popLast(), let value = nodes.popLast() else { return nil }
              return JSONNode.Member(name: name, value: value)
            }))
      }
    }
    return nodes.last ?? .null
  }

  /// The position of a value in the text.
  package func position(of value: Int) -> TextPosition {
    let token = tokens[value]
    if token.isName { return position }
    // The text of JSON begins with its quote.
    let start = token.start - (token.kind == .text ? 1 : 0)
    return bytes.withUnsafeBufferPointer { position.after(UnsafeBufferPointer(rebasing: $0[..<start])) }
  }

  /// How messages name a value.
  package func shown(_ value: Int) -> String {
    switch kind(of: value) {
    case .list: JSONNode.list([]).kind
    case .object: JSONNode.object([]).kind
    default: node(of: value).kind
    }
  }

  /// Whether a name is this one. Names that are composed otherwise are the same.
  private func isText(_ value: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let same = withBytes(of: value) { bytes -> Bool? in
      if bytes.count == text.count, bytes.elementsEqual(text) { return true }
      return bytes.contains { $0 >= 0x80 } && text.contains { $0 >= 0x80 } ? nil : false
    }
    return (same ?? nil) ?? (self.text(of: value) == String(decoding: text, as: UTF8.self))
  }

  private static func withoutDoubledQuotes(_ cell: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(cell.count)
    var isFirst = false
    for byte in cell {
      isFirst = byte == UInt8(ascii: "\"") && !isFirst
      if !isFirst { text.append(byte) }
    }
    return text
  }
}
