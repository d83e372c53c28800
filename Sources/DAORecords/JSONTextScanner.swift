import DAOCriteria

/// Reads the values of a JSON text into tokens, in the window that moves over it. It keeps a stack of its own, so that no text can overflow
/// the thread's.
struct JSONTextScanner {
  private let window: ByteWindow
  /// Whether a value may not go on in the next line.
  private let staysInLine: Bool
  /// The tokens of the objects and lists whose end has not been met.
  private var open: [Int] = []
  /// Whether a value is passed over, of which nothing is kept but the lists and objects that are open.
  private var isSkipping = false

  /// More digits than any number needs: a `Decimal` has 166 at most.
  private static let maximumNumberLength = 400

  /// How many bytes of the text have been read.
  var readCount: Int { window.readCount }

  init(_ window: ByteWindow, staysInLine: Bool) {
    self.window = window
    self.staysInLine = staysInLine
  }

  // MARK: Moving on

  /// Checks how the text is encoded.
  func begin() throws {
    if try window.startsWithOtherEncoding() { throw problem("is not UTF-8; UTF-16 and UTF-32 are not read") }
  }

  private func skipSpace() throws {
    // Outside of records nothing before the space is needed.
    let isBetween = isSkipping || window.offset == 0
    while let byte = try window.peek() {
      guard byte == 0x20 || byte == 0x0A && !staysInLine || byte == 0x09 || byte == 0x0D else { break }
      window.index += 1
      if isBetween, window.index == window.end { window.moveOn() }
    }
    if isBetween { window.moveOn() }
  }

  /// Whether a character is the next one, after space.
  func isNext(_ character: Unicode.Scalar) throws -> Bool {
    try skipSpace()
    return try window.peek() == UInt8(ascii: character)
  }

  /// Takes a character between records, after space, if it is the next one.
  func take(_ character: Unicode.Scalar) throws -> Bool {
    guard try takeWithin(character) else { return false }
    window.moveOn()
    return true
  }

  /// Takes a character of a record, after space, if it is the next one.
  private func takeWithin(_ character: Unicode.Scalar) throws -> Bool {
    guard try isNext(character) else { return false }
    window.index += 1
    return true
  }

  /// Passes over lines with nothing in them.
  /// - Returns: false at the end of the text.
  func skipEmptyLines() throws -> Bool {
    while let byte = try window.peek() {
      guard byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D else { return true }
      window.index += 1
      window.moveOn()
    }
    return false
  }

  /// Passes over the rest of a line.
  func skipLine() throws {
    while let byte = try window.peek() {
      window.index += 1
      window.moveOn()
      if byte == 0x0A { return }
    }
  }

  /// Expects the end of a line.
  func endLine() throws {
    try skipSpace()
    if let byte = try window.peek(), byte != 0x0A { throw try expected("the end of the line") }
  }

  /// Expects the end of the text.
  func end() throws {
    try skipSpace()
    if try window.peek() != nil { throw try expected("the end") }
  }

  // MARK: Values

  /// Reads a value.
  mutating func read(_ record: inout Record) throws {
    try skipSpace()
    window.moveOn()
    record.clear(at: window.startPosition)
    try scan(&record)
    record.bytes.append(contentsOf: window.passed)
    window.moveOn()
  }

  /// Passes over a value.
  mutating func skip() throws {
    try skipSpace()
    window.moveOn()
    var record = Record()
    isSkipping = true
    defer { isSkipping = false }
    try scan(&record)
    window.moveOn()
  }

  /// Reads the name of a member, and the colon.
  mutating func name() throws -> String {
    try skipSpace()
    window.moveOn()
    var record = Record()
    try name(&record)
    record.bytes.append(contentsOf: window.passed)
    return record.text(of: 0)
  }

  private mutating func scan(_ record: inout Record) throws {
    open.removeAll(keepingCapacity: true)
    values: while true {
      try skipSpace()
      guard let byte = try window.peek() else { throw try expected("a value") }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        guard open.count < JSONScanner.documentDepth else { throw problem("is nested more than \(JSONScanner.documentDepth) levels deep") }
        open.append(record.tokens.count)
        record.add(isObject ? .object : .list, at: window.offset, 1)
        window.index += 1
        if try takeWithin(isObject ? "}" : "]") {
          close(&record)
        } else {
          if isObject { try name(&record) }
          continue values
        }
      case UInt8(ascii: "\""): try text(&record)
      case UInt8(ascii: "t"): try word("true", .bool, &record)
      case UInt8(ascii: "f"): try word("false", .bool, &record)
      case UInt8(ascii: "n"): try word("null", .null, &record)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(&record)
      default: throw try expected("a value")
      }
      // A value has ended; the object or list that contains it may have ended too.
      while let last = open.last {
        record.tokens[last].items += 1
        if isSkipping {
          record.tokens.removeLast(record.tokens.count - last - 1)
          window.moveOn()
        }
        let isObject = record.tokens[last].kind == .object
        if try takeWithin(",") {
          if isObject { try name(&record) }
          continue values
        }
        guard try takeWithin(isObject ? "}" : "]") else { throw try expected(isObject ? "',' or '}'" : "',' or ']'") }
        close(&record)
      }
      return
    }
  }

  /// Ends an object or list.
  private mutating func close(_ record: inout Record) {
    guard let token = open.popLast() else { return }
    record.tokens[token].next = record.tokens.count
    record.tokens[token].count = window.offset - record.tokens[token].start
    if record.tokens[token].kind == .object, record.duplicateName == nil {
      record.duplicateName = record.firstDuplicateName(in: token, window.passed)
    }
  }

  private mutating func name(_ record: inout Record) throws {
    guard try isNext("\"") else { throw try expected("a name in quotes") }
    try text(&record)
    guard try takeWithin(":") else { throw try expected("':'") }
  }

  private func word(_ word: StaticString, _ kind: Record.Kind, _ record: inout Record) throws {
    let start = window.offset
    for index in 0..<word.utf8CodeUnitCount {
      guard try window.peek() == word.utf8Start[index] else { throw try expected("a value") }
      window.index += 1
    }
    record.add(kind, at: start, word.utf8CodeUnitCount)
  }

  private func number(_ record: inout Record) throws {
    let start = window.offset
    func isDigit() throws -> Bool { try window.peek().map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }
    func digits() throws {
      guard try isDigit() else { throw try expected("a digit") }
      while try isDigit() {
        window.index += 1
        guard window.offset - start <= Self.maximumNumberLength else {
          throw problem("has a number of more than \(Self.maximumNumberLength) characters")
        }
      }
    }
    if try window.peek() == UInt8(ascii: "-") { window.index += 1 }
    if try window.peek() == UInt8(ascii: "0") { window.index += 1 } else { try digits() }
    if try window.peek() == UInt8(ascii: ".") {
      window.index += 1
      try digits()
    }
    if let byte = try window.peek(), byte | 0x20 == UInt8(ascii: "e") {
      window.index += 1
      if let sign = try window.peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { window.index += 1 }
      try digits()
    }
    record.add(.number, at: start, window.offset - start)
  }

  private func text(_ record: inout Record) throws {
    window.index += 1
    let start = window.offset
    var isEscaped = false
    var bits: UInt8 = 0
    while true {
      let bytes = UnsafeBufferPointer(start: window.bytes, count: window.end)
      var position = window.index
      while position < bytes.count {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        bits |= byte
        position += 1
      }
      window.index = position
      guard let byte = try window.peek() else { throw try expected("a closing quote") }
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try escape()
      } else if byte < 0x20 {
        throw problem("has a control character in a text; write it as \\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
      }
    }
    let count = window.offset - start
    if bits >= 0x80, !UTF8Bytes.areValid(UnsafeBufferPointer(start: window.bytes + window.start + start, count: count)) {
      throw problem("has a text that is not UTF-8")
    }
    window.index += 1
    record.add(.text, at: start, count, isEscaped: isEscaped)
  }

  /// Passes over an escape, and checks it.
  private func escape() throws {
    window.index += 1
    guard let letter = try window.peek() else { throw try expected("the rest of an escape") }
    guard letter == UInt8(ascii: "u") || JSONEscapes.simple(letter) != nil else { throw problem("has an unknown escape in a text") }
    window.index += 1
    guard letter == UInt8(ascii: "u") else { return }
    let unit = try hexadecimal()
    guard 0xD800..<0xE000 ~= unit else { return }
    guard unit < 0xDC00, try window.peek() == UInt8(ascii: "\\"), try window.peek(1) == UInt8(ascii: "u") else {
      throw problem("has half a surrogate pair in a text")
    }
    window.index += 2
    guard 0xDC00..<0xE000 ~= (try hexadecimal()) else { throw problem("has half a surrogate pair in a text") }
  }

  private func hexadecimal() throws -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = try window.peek().flatMap(JSONEscapes.digit) else {
        throw problem("has an escape without four hexadecimal digits in a text")
      }
      unit = unit << 4 | UInt32(digit)
      window.index += 1
    }
    return unit
  }

  // MARK: Problems

  func problem(_ message: String) -> RecordProblem { RecordProblem(window.position, message) }

  /// The problem that the text does not go on as it has to.
  func expected(_ what: String) throws -> RecordProblem { problem("expects \(what), not \(try window.shownNext(inLine: staysInLine))") }
}
