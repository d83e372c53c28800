import Foundation

/// Reads untrusted JSON (RFC 8259).
///
/// Foundation's readers take the last of two members of one name, read numbers through doubles, go down the stack as deep as the text does
/// (to 512), and stop at the first error without its position. This one keeps a stack of its own, so that no text can overflow the
/// thread's.
package struct JSONScanner {
  /// Members that stand twice in an object, each with its path.
  package private(set) var problems: [DAOError.CriteriaProblem] = []

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var position = 0
  private var open: [Container] = []

  /// An object or list whose end has not been met.
  private struct Container {
    let isObject: Bool
    var names: [String] = []
    var seen: Set<String> = []
    var values: [JSONNode] = []

    var node: JSONNode { isObject ? .object(zip(names, values).map { JSONNode.Member(name: $0, value: $1) }) : .list(values) }
  }

  /// More digits than any number needs: a `Decimal` has 166 at most.
  private static let maximumNumberLength = 400
  private static let maximumProblems = 100

  /// A scanner of a text whose objects and lists may be nested to a given depth.
  package init(_ json: Data, maximumDepth: Int) {
    bytes = Array(json)
    self.maximumDepth = maximumDepth
  }

  /// The tree.
  /// - Throws: ``NotJSON`` where the text is no JSON.
  package mutating func scan() throws -> JSONNode {
    try checkEncoding()
    while true {
      guard var value = try begin() else { continue }
      // A value has ended; the object or array that contains it may have ended too.
      while !open.isEmpty {
        let last = open.count - 1
        open[last].values.append(value)
        let isObject = open[last].isObject
        if take(",") {
          if isObject { try name() }
          break
        }
        guard take(isObject ? "}" : "]") else { throw expected(isObject ? "',' or '}'" : "',' or ']'") }
        value = open.removeLast().node
      }
      guard open.isEmpty else { continue }
      skipSpace()
      guard position == bytes.count else { throw expected("the end") }
      return value
    }
  }

  private func checkEncoding() throws {
    let start = bytes.prefix(4)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { throw problem("begins with a byte order mark, which JSON does not have") }
    if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) || start.contains(0) {
      throw problem("is not UTF-8; UTF-16 and UTF-32 are not read")
    }
  }

  /// A value, or nil where an object or list begins that is not empty.
  private mutating func begin() throws -> JSONNode? {
    skipSpace()
    guard position < bytes.count else { throw expected("a value") }
    switch bytes[position] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < maximumDepth else { throw problem("is nested more than \(maximumDepth) levels deep") }
      let isObject = bytes[position] == UInt8(ascii: "{")
      position += 1
      open.append(Container(isObject: isObject))
      if take(isObject ? "}" : "]") { return open.removeLast().node }
      if isObject { try name() }
      return nil
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw expected("a value")
    }
  }

  /// The name of a member, and the colon.
  private mutating func name() throws {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw expected("a name in quotes") }
    let name = try text()
    let last = open.count - 1
    open[last].names.append(name)
    if !open[last].seen.insert(name).inserted, problems.count < Self.maximumProblems {
      problems.append(DAOError.CriteriaProblem(path: "\(path)", message: "stands twice in its object"))
    }
    guard take(":") else { throw expected("':'") }
  }

  private mutating func word(_ word: StaticString, _ node: JSONNode) throws -> JSONNode {
    let letters = Array("\(word)".utf8)
    guard bytes[position...].starts(with: letters) else { throw expected("a value") }
    position += letters.count
    return node
  }

  private mutating func number() throws -> String {
    let start = position
    func digit() -> Bool { position < bytes.count && UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] }
    func digits() throws {
      guard digit() else { throw expected("a digit") }
      while digit() { position += 1 }
    }
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) { position += 1 }
      try digits()
    }
    guard position - start <= Self.maximumNumberLength else {
      throw problem("has a number of more than \(Self.maximumNumberLength) characters")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  // MARK: Text

  private mutating func text() throws -> String {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        let string = String(decoding: text, as: UTF8.self)
        // Bytes that are not UTF-8 have been replaced.
        guard string.utf8.elementsEqual(text) else { throw problem("has a text that is not UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        text += try escaped()
      case 0..<0x20: throw problem("has a control character in a text; write it as \\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw expected("the end of a text")
  }

  /// Reads an escape, after its backslash.
  private mutating func escaped() throws -> [UInt8] {
    guard position < bytes.count else { throw expected("the end of a text") }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      if 0xD800..<0xDC00 ~= unit, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        position += 2
        let low = try hexadecimal()
        guard 0xDC00..<0xE000 ~= low else { throw problem("has half a surrogate pair in a text") }
        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw problem("has half a surrogate pair in a text") }
      return Array(String(Character(scalar)).utf8)
    default: throw problem("has an unknown escape in a text")
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    let digits = bytes[position...].prefix(4)
    let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard digits.count == 4, isHexadecimal, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw problem("has an escape without four hexadecimal digits in a text")
    }
    position += 4
    return unit
  }

  // MARK: Moving on

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 || 0x09...0x0A ~= bytes[position] || bytes[position] == 0x0D { position += 1 }
  }

  /// Takes a character, after space, if it is the next one.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  // MARK: Problems

  /// The current position of the scanner.
  private var path: JSONPath {
    open.reduce(.root) { path, container in
      container.isObject ? container.names.last.map { .member(path, $0) } ?? path : .item(path, container.values.count)
    }
  }

  private func expected(_ what: String) -> NotJSON { problem("is no JSON: expects \(what)") }

  private func problem(_ message: String) -> NotJSON {
    NotJSON(problem: DAOError.CriteriaProblem(path: "\(path)", message: "\(message), at byte \(position)"))
  }
}

extension JSONScanner {
  /// How deep lists and objects may be nested in a document that an attribute keeps.
  package static var documentDepth: Int { 512 }

  /// Why a text is no JSON document; nil where it is one.
  package static func problem(in text: String) -> String? {
    var scanner = JSONScanner(Data(text.utf8), maximumDepth: documentDepth)
    do { _ = try scanner.scan() } catch let error as NotJSON { return error.problem.description } catch { return "\(error)" }
    return nil
  }
}
