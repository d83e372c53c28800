import DAOCriteria

/// Reads records from JSON (RFC 8259): from a list, or from a line each (JSON lines, also known as NDJSON).
///
/// Texts are UTF-8; a byte order mark before them is passed over. A record notes a name that one of its objects has twice
/// (``Record/duplicateName``).
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
  /// - Parameters:
  ///   - window: how many bytes are read at once.
  ///   - longest: the size of the longest record, in bytes.
  package init(_ source: ByteSource, _ form: Form = .list(), window: Int = ByteWindow.usualSize, longest: Int = ByteWindow.longestRecord) {
    switch form {
    case .list(let path): (self.path, isLines) = (path, false)
    case .lines: (path, isLines) = ([], true)
    }
    scanner = JSONTextScanner(ByteWindow(source, size: window, longest: longest), staysInLine: isLines)
  }

  package var goesOn: Bool { state != .over }

  package private(set) var isOneRecord = false

  package var readCount: Int { scanner.readCount }

  package mutating func next(_ record: inout Record) throws -> Bool {
    let last = state
    // Nothing is known to follow until the record has been read.
    state = .over
    if last == .over { return false }
    if last == .start { try scanner.begin() }
    return isLines ? try nextLine(&record) : try nextItem(&record, isFirst: last == .start)
  }

  private mutating func nextLine(_ record: inout Record) throws -> Bool {
    guard try scanner.skipEmptyLines() else { return false }
    do {
      try scanner.read(&record)
      try scanner.endLine()
    } catch let problem as RecordProblem {
      try scanner.skipLine()
      state = .items
      throw problem
    }
    state = .items
    return true
  }

  private mutating func nextItem(_ record: inout Record, isFirst: Bool) throws -> Bool {
    if isFirst {
      for name in path { try enter(name) }
      if path.isEmpty, try scanner.isNext("{") {
        isOneRecord = true
        try scanner.read(&record)
        try scanner.end()
        return true
      }
      guard try scanner.take("[") else { throw try scanner.expected("a list of records") }
    }
    if try scanner.take("]") {
      try leave()
      return false
    }
    if !isFirst { guard try scanner.take(",") else { throw try scanner.expected("',' or ']'") } }
    try scanner.read(&record)
    state = .items
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
