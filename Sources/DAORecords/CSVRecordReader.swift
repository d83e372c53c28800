import DAOCriteria

/// Reads records from comma-separated values (RFC 4180). The first line has the names of the cells, each line after it is a record.
///
/// Texts are UTF-8; a byte order mark before them is passed over. Lines end with `\r\n` or `\n`. A cell with a delimiter, a quote or a line
/// end in it stands in quotes, with two quotes for one. A line of spaces is an empty one; empty lines at the end are no records.
package struct CSVRecordReader: RecordReader {
  private let window: ByteWindow
  private let delimiter: UInt8
  private var names: [Record.Token] = []
  private var nameBytes: [UInt8] = []
  private var state = State.start
  /// How many empty lines stand before the next record.
  private var emptyLines = 0

  private enum State { case start, rows, over }

  /// A problem of a cell, behind which the next line may be read.
  private struct CellProblem: Error { let problem: RecordProblem }

  /// Reads from the beginning.
  /// - Parameters:
  ///   - delimiter: the byte between cells; no quote and no line end.
  ///   - window: how many bytes are read at once.
  ///   - longest: the size of the longest record, in bytes.
  package init(
    _ source: ByteSource, delimiter: UInt8 = UInt8(ascii: ","), window: Int = ByteWindow.usualSize, longest: Int = ByteWindow.longestRecord
  ) {
    self.window = ByteWindow(source, size: window, longest: longest)
    self.delimiter = delimiter
  }

  package var goesOn: Bool { state != .over }

  package var isOneRecord: Bool { false }

  package var readCount: Int { window.readCount }

  package mutating func next(_ record: inout Record) throws -> Bool {
    if state == .start { try readHeader(&record) }
    if state == .over { return false }
    // A row without an end leaves no other one; one that has other cells than the header does.
    state = .over
    if emptyLines == 0 {
      while try takeEmptyLine() {
        window.moveOn()
        emptyLines += 1
      }
    }
    guard try window.peek() != nil else { return false }
    window.moveOn()
    let isEmpty = emptyLines > 0
    record.clear(at: isEmpty ? TextPosition(line: window.startPosition.line - emptyLines) : window.startPosition, names: nameBytes)
    record.add(.object, at: 0, 0)
    if isEmpty {
      emptyLines -= 1
      addName(0, &record)
      record.add(.blank, at: 0, 0)
    }
    let count: Int
    do { count = isEmpty ? 1 : try readRow(&record) } catch let problem as CellProblem {
      try passLine()
      state = .rows
      throw problem.problem
    }
    end(&record, count)
    state = .rows
    guard count == names.count else {
      throw RecordProblem(record.position, "expects \(names.count == 1 ? "1 cell" : "\(names.count) cells"), not \(count)")
    }
    return true
  }

  /// Reads the names of the cells.
  /// - Parameter record: becomes the header: a list of its cells.
  package mutating func readHeader(_ record: inout Record) throws {
    state = .over
    if try window.startsWithOtherEncoding() { throw problem("is not UTF-8; UTF-16 and UTF-32 are not read") }
    guard try window.peek() != nil else { throw problem("has no header") }
    window.moveOn()
    record.clear(at: window.startPosition)
    record.add(.list, at: 0, 0)
    do { end(&record, try readRow(&record)) } catch let problem as CellProblem { throw problem.problem }
    nameBytes = record.bytes
    names = record.items(of: 0).map { record.tokens[$0] }
    state = .rows
  }

  // MARK: Rows

  /// Reads the cells of a row, to the end of its line.
  /// - Returns: how many there are.
  private func readRow(_ record: inout Record) throws -> Int {
    var count = 0
    while true {
      addName(count, &record)
      try readCell(&record)
      count += 1
      guard try window.peek() == delimiter else {
        _ = try takeLineEnd()
        return count
      }
      window.index += 1
    }
  }

  private func end(_ record: inout Record, _ count: Int) {
    record.bytes.append(contentsOf: window.passed)
    record.tokens[0].count = record.bytes.count
    record.tokens[0].items = count
    record.tokens[0].next = record.tokens.count
    window.moveOn()
  }

  private func addName(_ cell: Int, _ record: inout Record) {
    guard cell < names.count else { return }
    record.add(.cell, at: names[cell].start, names[cell].count, isEscaped: names[cell].isEscaped, isName: true)
  }

  private func readCell(_ record: inout Record) throws {
    guard try window.peek() == UInt8(ascii: "\"") else { return try readBareCell(&record) }
    let quote = window.offset
    window.index += 1
    var (isEscaped, bits): (Bool, UInt8) = (false, 0)
    while true {
      bits |= try pass { $0 == UInt8(ascii: "\"") }
      guard try window.peek() != nil else { throw RecordProblem(window.position(at: quote), "has a quote that does not end") }
      guard try window.peek(1) == UInt8(ascii: "\"") else { break }
      isEscaped = true
      window.index += 2
    }
    try add(.cell, from: quote + 1, bits, isEscaped: isEscaped, &record)
    window.index += 1
    guard try isAtCellEnd else { throw problem("expects \(expectedAfterCell), not \(try window.shownNext(inLine: true))") }
  }

  private func readBareCell(_ record: inout Record) throws {
    let (start, delimiter) = (window.offset, self.delimiter)
    let bits = try pass { $0 == delimiter || $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "\"") }
    guard try isAtCellEnd else {
      throw CellProblem(
        problem: try problem(
          window.peek() == 0x0D
            ? "has a carriage return that ends no line; enclose the cell in quotes"
            : "has a quote inside a cell without quotes; enclose the cell in quotes and write the quote twice"))
    }
    try add(window.offset == start ? .blank : .cell, from: start, bits, isEscaped: false, &record)
  }

  /// Passes over bytes.
  /// - Returns: the bits that any of them has.
  private func pass(until isEnd: (UInt8) -> Bool) throws -> UInt8 {
    var bits: UInt8 = 0
    repeat {
      let bytes = UnsafeBufferPointer(start: window.bytes, count: window.end)
      var position = window.index
      while position < bytes.count, !isEnd(bytes[position]) {
        bits |= bytes[position]
        position += 1
      }
      window.index = position
    } while try window.index == window.end && window.fill()
    return bits
  }

  private func add(_ kind: Record.Kind, from start: Int, _ bits: UInt8, isEscaped: Bool, _ record: inout Record) throws {
    let count = window.offset - start
    if bits >= 0x80, !UTF8Bytes.areValid(UnsafeBufferPointer(start: window.bytes + window.start + start, count: count)) {
      throw RecordProblem(window.position(at: start), "is not UTF-8")
    }
    record.add(kind, at: start, count, isEscaped: isEscaped)
  }

  private var isAtCellEnd: Bool {
    get throws {
      guard let byte = try window.peek() else { return true }
      return try byte == delimiter || byte == 0x0A || byte == 0x0D && window.peek(1) == 0x0A
    }
  }

  /// Passes over a line with nothing but spaces in it.
  private func takeEmptyLine() throws -> Bool {
    var distance = 0
    while let byte = try window.peek(distance), byte == 0x20 || byte == 0x09, byte != delimiter { distance += 1 }
    return try takeLineEnd(behind: distance)
  }

  /// Passes over so many bytes and the end of a line, or of the text, behind them.
  private func takeLineEnd(behind distance: Int = 0) throws -> Bool {
    switch try window.peek(distance) {
    case 0x0A: window.index += distance + 1
    case 0x0D where try window.peek(distance + 1) == 0x0A: window.index += distance + 2
    case nil where distance > 0: window.index += distance
    default: return false
    }
    return true
  }

  /// Passes over what is left of a line.
  private func passLine() throws {
    while let byte = try window.peek() {
      window.index += 1
      window.moveOn()
      if byte == 0x0A { return }
    }
  }

  private var expectedAfterCell: String { "'\(Unicode.Scalar(delimiter))' or the end of the line" }

  private func problem(_ message: String) -> RecordProblem { RecordProblem(window.position, message) }
}
