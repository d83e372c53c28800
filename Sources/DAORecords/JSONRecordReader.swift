import DAOCriteria

/// Reads records from JSON (RFC 8259): from a list, or from a line each (JSON lines, also known as NDJSON).
///
/// Texts are UTF-8; a byte order mark before them is passed over. Of equal names in an object, the record notes the first
/// (``Record/doubledName``).
package struct JSONRecordReader: RecordReader {
  /// How the records stand in the text.
  package enum Form: Sendable, Hashable {
    /// In a list, which is the text, or the value at the end of names in objects: `["data", "items"]`. A text that is one object is one
    /// record.
    case list(at: [String] = [])
    /// Each in a line. Empty lines are passed over.
    case lines
  }

  var scanner: JSONTextScanner
  private let path: [String]
  private let isLines: Bool
  private var state = State.start

  private enum State { case start, items, over }

  /// Reads from the beginning.
  /// - Parameter window: how many bytes are read at once.
  package init(_ source: ByteSource, _ form: Form = .list(), window: Int = ByteWindow.usualSize) {
    switch form {
    case .list(let path): (self.path, isLines) = (path, false)
    case .lines: (path, isLines) = ([], true)
    }
    scanner = JSONTextScanner(ByteWindow(source, size: window), staysInLine: isLines)
  }

  package var goesOn: Bool { state != .over }

  package mutating func next(_ record: inout Record) throws -> Bool {
    do { return isLines ? try nextLine(&record) : try nextItem(&record) } catch let problem as RecordProblem {
      if isLines { try scanner.skipLine() } else { state = .over }
      throw problem
    } catch {
      state = .over
      throw error
    }
  }

  // MARK: Lines

  private mutating func nextLine(_ record: inout Record) throws -> Bool {
    if state == .over { return false }
    if state == .start {
      state = .items
      try scanner.begin()
    }
    guard try scanner.skipEmptyLines() else {
      state = .over
      return false
    }
    try scanner.read(&record)
    try scanner.endLine()
    return true
  }

  // MARK: A list

  private mutating func nextItem(_ record: inout Record) throws -> Bool {
    switch state {
    case .over: return false
    case .start:
      try scanner.begin()
      for name in path { try enter(name) }
      if try scanner.isNext("{"), path.isEmpty {
        state = .over
        try scanner.read(&record)
        try scanner.end()
        return true
      }
      guard try scanner.take("[") else { throw try scanner.expected("a list of records") }
      state = .items
      if try scanner.take("]") {
        try leave()
        return false
      }
    case .items:
      guard try scanner.take(",") else {
        guard try scanner.take("]") else { throw try scanner.expected("',' or ']'") }
        try leave()
        return false
      }
    }
    try scanner.read(&record)
    return true
  }

  /// Goes into an object, to the value of a name.
  private mutating func enter(_ name: String) throws {
    guard try scanner.take("{") else { throw try scanner.expected("an object with '\(name.shown)'") }
    if try scanner.take("}") { throw scanner.problem("has no '\(name.shown)' in this object") }
    while try scanner.name() != name {
      try scanner.skip()
      if try scanner.take(",") { continue }
      guard try scanner.take("}") else { throw try scanner.expected("',' or '}'") }
      throw scanner.problem("has no '\(name.shown)' in this object")
    }
  }

  /// Goes out of the objects that the list is in, to the end of the text.
  private mutating func leave() throws {
    state = .over
    for name in path.reversed() {
      while try scanner.take(",") {
        if try scanner.name() == name { throw scanner.problem("has '\(name.shown)' twice in an object") }
        try scanner.skip()
      }
      guard try scanner.take("}") else { throw try scanner.expected("',' or '}'") }
    }
    try scanner.end()
  }
}
