extension JSONDocument {
  /// A text as it stands in a document, between its quotes.
  package struct Text {
    fileprivate let raw: UnsafeBufferPointer<UInt8>
    fileprivate let isEscaped: Bool
  }

  /// The text whose first quote comes next; nil where it has no end, or something that no JSON has in a text.
  mutating func text(_ goOn: () throws -> Void) rethrows -> Text? {
    position += 1
    let start = position
    var isEscaped = false
    while let byte = next {
      try lookUp(goOn)
      switch byte {
      case UInt8(ascii: "\""):
        let raw = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return Text(raw: raw, isEscaped: isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        guard takeEscape() else { return nil }
      case 0x20..<0x80: position += 1
      default: guard byte >= 0x80, takeCharacter(byte) else { return nil }
      }
    }
    return nil
  }

  /// Passes over an escape. Half a surrogate pair is none.
  private mutating func takeEscape() -> Bool {
    position += 1
    guard let letter = next else { return false }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      guard let unit = bytes.unit(at: position) else { return false }
      position += 4
      if 0xD800..<0xDC00 ~= unit {
        guard take("\\u"), let low = bytes.unit(at: position), 0xDC00..<0xE000 ~= low else { return false }
        position += 4
        return true
      }
      return !(0xDC00..<0xE000 ~= unit)
    default: return false
    }
  }

  /// Passes over a character of several bytes. Invalid UTF-8 is no character (the Unicode Standard, table 3-7).
  private mutating func takeCharacter(_ lead: UInt8) -> Bool {
    let (count, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    guard count > 0, bytes.count - position >= count, second.contains(bytes[position + 1]) else { return false }
    for index in 2..<max(2, count) where bytes[position + index] & 0xC0 != 0x80 { return false }
    position += count
    return true
  }
}

extension JSONDocument.Text {
  /// Whether it says the same, byte by byte.
  func isEqual(to text: UnsafeBufferPointer<UInt8>) -> Bool {
    // An escape is six times as long as what it stands for, at most.
    guard isEscaped ? raw.count <= 6 * text.count : raw.count == text.count else { return false }
    return withUTF8 { $0.elementsEqual(text) }
  }

  /// The text in UTF-8, where it lies unless it has escapes.
  /// - Parameter goOn: called now and then while a long text is read; its error ends that.
  package func withUTF8<Result>(goOn: () throws -> Void, _ body: (UnsafeBufferPointer<UInt8>) -> Result) rethrows -> Result {
    guard isEscaped else { return body(raw) }
    // The text of an escape is no longer than the escape.
    return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { buffer in
      let count = try unescape(into: buffer, goOn)
      return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// The text in UTF-8, read without a pause.
  func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { withUTF8(goOn: {}, body) }

  /// Writes what the text says, which is known to be sound, and returns their number.
  private func unescape(into buffer: UnsafeMutableBufferPointer<UInt8>, _ goOn: () throws -> Void) rethrows -> Int {
    var (from, to) = (0, 0)
    var pause = TextPattern.bytesBetweenCalls
    func put(_ byte: UInt8) {
      buffer[to] = byte
      to += 1
    }
    while from < raw.count {
      if from >= pause {
        try goOn()
        pause = from + TextPattern.bytesBetweenCalls
      }
      guard raw[from] == UInt8(ascii: "\\") else {
        put(raw[from])
        from += 1
        continue
      }
      let letter = raw[from + 1]
      from += 2
      switch letter {
      case UInt8(ascii: "b"): put(0x08)
      case UInt8(ascii: "f"): put(0x0C)
      case UInt8(ascii: "n"): put(0x0A)
      case UInt8(ascii: "r"): put(0x0D)
      case UInt8(ascii: "t"): put(0x09)
      case UInt8(ascii: "u"):
        var unit = raw.unit(at: from) ?? 0
        from += 4
        if 0xD800..<0xDC00 ~= unit {
          unit = 0x10000 + (unit - 0xD800) << 10 + ((raw.unit(at: from + 2) ?? 0xDC00) - 0xDC00)
          from += 6
        }
        for byte in Unicode.Scalar(unit).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter { put(byte) }
      default: put(letter)
      }
    }
    return to
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Reads four hexadecimal digits; returns nil for anything else.
  fileprivate func unit(at start: Int) -> UInt32? {
    guard count - start >= 4 else { return nil }
    var unit: UInt32 = 0
    for byte in self[start..<start + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return unit
  }
}
