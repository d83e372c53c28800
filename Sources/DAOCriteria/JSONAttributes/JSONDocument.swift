/// A JSON text (RFC 8259) in UTF-8, in which a reader searches the value at the end of a path.
///
/// It is read once and to its end, since a text that is no JSON has no value anywhere. No tree is built, and the stack stays as it is
/// however deep the text goes.
package struct JSONDocument {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  /// The position of the next check of the limits.
  private var pause = TextPattern.bytesBetweenCalls
  private var levels = Levels()
  private let stepCount: Int
  /// How many of the path's steps led somewhere, and the one after those.
  private var taken = 0
  private var step = Step.place(0)
  /// The number of items read so far in the array of the searched item.
  private var itemCount = 0
  /// Whether the path's end has been met, or can't be any more.
  private var isOver = false

  /// A step of a path.
  package enum Step {
    /// A key in UTF-8.
    case key(UnsafeBufferPointer<UInt8>)
    /// An index in an array.
    case place(Int)
  }

  /// A value in a document that is no object or array.
  package enum Value {
    case null
    case bool(Bool)
    case number(UnsafeBufferPointer<UInt8>, isInteger: Bool)
    case text(Text)
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, stepCount: Int) {
    self.bytes = bytes
    self.stepCount = stepCount
  }

  /// The value at the end of a path; nil where the text is no JSON, the path leads nowhere, or to an object or array. Of equal keys the
  /// first counts.
  /// - Parameters:
  ///   - goOn: called now and then while a long text is read; its error ends that.
  ///   - step: the step of a number; each is asked for once at most.
  package static func value(
    in text: UnsafeBufferPointer<UInt8>, steps count: Int, goOn: () throws -> Void, _ step: (Int) -> Step
  ) rethrows -> Value? {
    var document = JSONDocument(text, stepCount: count)
    return try document.read(step, goOn)
  }

  /// The value at the end of a path, read without a pause.
  static func value(in text: UnsafeBufferPointer<UInt8>, steps count: Int, _ step: (Int) -> Step) -> Value? {
    value(in: text, steps: count, goOn: {}, step)
  }

  private mutating func read(_ step: (Int) -> Step, _ goOn: () throws -> Void) rethrows -> Value? {
    var found: Value?
    // Whether the value that begins is where the steps so far lead to.
    var isOnPath = true
    values: while true {
      try skipSpace(goOn)
      guard let byte = next else { return nil }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        position += 1
        levels.open(isObject: byte == UInt8(ascii: "{"))
        if isOnPath { go(into: step) }
        try skipSpace(goOn)
        // The other bracket is two further in ASCII.
        if next != byte + 2 {
          guard let isNextOnPath = try member(goOn) else { return nil }
          isOnPath = isNextOnPath
          continue
        }
      } else {
        guard let value = try scalar(byte, goOn) else { return nil }
        if isOnPath {
          if taken == stepCount { found = value }
          isOver = true
        }
      }
      // With a value may end what it stands in.
      while levels.depth > 0 {
        try skipSpace(goOn)
        if take(",") {
          guard let isNextOnPath = try member(goOn) else { return nil }
          isOnPath = isNextOnPath
          continue values
        }
        guard take(levels.isObject ? "}" : "]") else { return nil }
        if levels.depth == taken + 1 { isOver = true }
        levels.close()
      }
      try skipSpace(goOn)
      return position == bytes.count ? found : nil
    }
  }

  /// Looks for the next step in the object or array that has just begun.
  private mutating func go(into step: (Int) -> Step) {
    if taken == stepCount {
      isOver = true
    } else {
      self.step = step(taken)
      itemCount = 0
    }
  }

  /// Goes to the next value in the innermost object or array: whether the path leads there; nil where there is none.
  private mutating func member(_ goOn: () throws -> Void) rethrows -> Bool? {
    let isSearched = !isOver && levels.depth == taken + 1
    if levels.isObject {
      try skipSpace(goOn)
      guard next == UInt8(ascii: "\""), let name = try text(goOn) else { return nil }
      try skipSpace(goOn)
      guard take(":") else { return nil }
      guard isSearched, case .key(let key) = step, name.isEqual(to: key) else { return false }
    } else {
      guard isSearched, case .place(let place) = step else { return false }
      itemCount += 1
      // There is no number after the largest index.
      guard itemCount - 1 == place else { return false }
    }
    taken += 1
    return true
  }

  /// A value that begins with this byte and is no object or array.
  private mutating func scalar(_ byte: UInt8, _ goOn: () throws -> Void) rethrows -> Value? {
    switch byte {
    case UInt8(ascii: "\""): try text(goOn).map { .text($0) }
    case UInt8(ascii: "t"): take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): take("null") ? .null : nil
    default: try number(goOn)
    }
  }

  // MARK: Moving on

  /// The byte that comes next; nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Passes over ASCII characters, where they come next.
  mutating func take(_ word: StaticString) -> Bool {
    guard bytes.count - position >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where bytes[position + index] != word.utf8Start[index] { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  private mutating func skipSpace(_ goOn: () throws -> Void) rethrows {
    try lookUp(goOn)
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
      try lookUp(goOn)
    }
  }

  /// Asks whether to go on, where enough has been read since that was asked last.
  @inline(__always)
  mutating func lookUp(_ goOn: () throws -> Void) rethrows {
    guard position >= pause else { return }
    pause = position + TextPattern.bytesBetweenCalls
    try goOn()
  }
}

/// Which of the objects and arrays around a value are objects: a bit each, the innermost last. The first 64 take no memory.
private struct Levels {
  private(set) var depth = 0
  private var bits: UInt64 = 0
  /// The bits of those further out, when there are more.
  private var outer: [UInt64] = []

  /// Whether the innermost is an object.
  var isObject: Bool { bits & 1 == 1 }

  mutating func open(isObject: Bool) {
    if depth > 0, depth % 64 == 0 { outer.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    depth += 1
  }

  mutating func close() {
    depth -= 1
    bits >>= 1
    if depth % 64 == 0, let last = outer.popLast() { bits = last }
  }
}
