import Foundation

/// Reads the columns of one row in order, each as the Swift type that is asked for.
///
/// ```swift
/// init(row: inout RowReader) throws {
///   id = try row.next()
///   name = try row.next()
///   comment = try row.next()      // String?
/// }
/// ```
///
/// How a date, a UUID or a decimal is stored is known from the description, so the call is the same for all.
public struct RowReader {
  @usableFromInline let statement: RowFunctions.Statement?
  @usableFromInline let functions: RowFunctions?
  // Nil where the row is held in memory.
  @usableFromInline let run: RowRun?
  // The run's number of the row that is read.
  @usableFromInline var row: Int
  @usableFromInline let columns: RowColumns
  @usableFromInline var values: [StoredValue]
  @usableFromInline var column: Int32 = 0
  /// The row's number in its result, from 0.
  public var rowNumber = 0
  /// How the rows are reached that are fetched along with others.
  @usableFromInline package var path: FetchPath?

  /// Reads the row on which a statement stands.
  @inlinable
  public init(statement: RowFunctions.Statement, functions: RowFunctions, run: RowRun, columns: RowColumns) {
    self.statement = statement
    self.functions = functions
    self.run = run
    self.row = run.row
    self.columns = columns
    self.values = []
  }

  /// Reads a row that is held in memory.
  public init(_ values: [StoredValue], columns: RowColumns) {
    self.statement = nil
    self.functions = nil
    self.run = nil
    self.row = 0
    self.columns = columns
    self.values = values
  }

  /// The entity whose attributes the columns are, where they are those of one.
  public var entity: EntityDescription? { columns.entity }

  /// How many columns a row has.
  public var columnCount: Int { columns.types.count }

  /// The column of the next value, from 0.
  public var position: Int { Int(column) }

  /// The next column's value.
  /// - Throws: an error, ``DAOError/undecodable(entity:column:row:problem:)`` by its store, where it is null and `Value` is not optional,
  ///   or where it is stored in another form; ``DAOError/misuse(_:use:)`` where the reader was kept and its statement stands on another
  ///   row.
  @inlinable @inline(__always)
  public mutating func next<Value: AttributeValue>(_ type: Value.Type = Value.self) throws -> Value {
    let value = try Value(reading: try cell(), of: &self)
    column += 1
    return value
  }

  /// Goes on to the row that follows, whose columns are read from the first.
  @inlinable @inline(__always)
  public mutating func startRow() {
    if let run { row = run.row }
    column = 0
    rowNumber += 1
  }
}

// The functions with which values read themselves. All are mutating, though few change anything: a call that borrows would copy the whole
// reader first.
extension RowReader {
  /// Reads the value of the next column.
  @inlinable @inline(__always)
  mutating func cell() throws -> Cell {
    guard let functions else { return heldCell() }
    guard row == run?.row else { throw RowRun.rowKept }
    let value = functions.column(statement, column)
    return Cell(form: functions.type(value), handle: value, row: row)
  }

  /// Refuses a cell that was kept from another row.
  @inlinable @inline(__always)
  func check(_ cell: Cell) throws { guard cell.row == run?.row else { throw RowRun.rowKept } }

  /// The type of the column that is read; `.any` beyond the last.
  @inlinable @inline(__always)
  public var type: AttributeType { Int(column) < columns.types.count ? columns.types[Int(column)] : .any }

  /// A cell's integer.
  /// - Throws: an error, ``DAOError/undecodable(entity:column:row:problem:)`` by its store, where it holds something else.
  @inlinable @inline(__always)
  public mutating func integer(_ cell: Cell, _ expected: @autoclosure () -> String = "an integer") throws -> Int64 {
    guard cell.form == 1 else { throw unexpected(expected()) }
    if let functions {
      try check(cell)
      return functions.integer(cell.handle)
    }
    if case .integer(let value) = held() { return value } else { throw unexpected(expected()) }
  }

  /// A cell's double; an integer is widened.
  /// - Throws: an error, ``DAOError/undecodable(entity:column:row:problem:)`` by its store, where it holds something else.
  @inlinable @inline(__always)
  public mutating func real(_ cell: Cell, _ expected: @autoclosure () -> String = "a double") throws -> Double {
    guard cell.form <= 2 else { throw unexpected(expected()) }
    if let functions {
      try check(cell)
      return functions.real(cell.handle)
    }
    switch held() {
    case .real(let value): return value
    case .integer(let value): return Double(value)
    default: throw unexpected(expected())
    }
  }

  /// A cell's text.
  /// - Throws: an error, ``DAOError/undecodable(entity:column:row:problem:)`` by its store, where it holds something else.
  @inlinable @inline(__always)
  public mutating func text(_ cell: Cell, _ expected: @autoclosure () -> String = "text") throws -> String {
    guard cell.form == 3 else { throw unexpected(expected()) }
    if let functions {
      try check(cell)
      return functions.string(cell.handle)
    }
    if case .text(let value) = held() { return value } else { throw unexpected(expected()) }
  }

  /// A cell's date in a text, of which no `String` is made.
  @usableFromInline mutating func date(_ cell: Cell, _ pattern: DatePattern) throws -> Date {
    if cell.form == 3, let functions {
      try check(cell)
      let text = UnsafeBufferPointer(start: functions.text(cell.handle), count: Int(functions.byteCount(cell.handle)))
      if let date = pattern.instant(text)?.date, AttributeType.DateStorage.range.contains(date.timeIntervalSince1970) { return date }
    }
    guard cell.form != 5 else { throw unexpected("a date") }
    do { return try AttributeType.DateStorage.text(pattern).date(stored(cell)) } catch let problem as ValueProblem { throw failed(problem) }
  }

  /// Reads a truth value that is kept as a word.
  @usableFromInline mutating func truth(_ cell: Cell) throws -> Bool {
    let value = try scalar(cell)
    guard case .bool(let truth) = value else { throw failed(Bool.mismatch(value)) }
    return truth
  }

  /// Reads a text, of a column that may have a form of its own.
  @usableFromInline mutating func storedText(_ cell: Cell) throws -> String {
    guard let storage = type.encodedText, cell.form != 5 else { return try text(cell) }
    do { return try storage.text(stored(cell)) } catch let problem as ValueProblem { throw failed(problem) }
  }

  /// Reads a number as a decimal number of so many digits after the point.
  @usableFromInline mutating func decimal(_ cell: Cell, digits: Int) throws -> Decimal {
    if let functions, cell.form <= 2 {
      try check(cell)
      if cell.form == 1 { return Decimal(functions.integer(cell.handle)) }
      if let decimal = RoundedNumber.decimal(functions.real(cell.handle), scale: digits) { return decimal }
    }
    guard cell.form != 5 else { throw unexpected("a number") }
    do { return try AttributeType.DecimalStorage.numeric(digits).decimal(stored(cell)) } catch let problem as ValueProblem {
      throw failed(problem)
    }
  }

  /// A cell's bytes.
  /// - Throws: an error, ``DAOError/undecodable(entity:column:row:problem:)`` by its store, where it holds something else.
  public mutating func data(_ cell: Cell, _ expected: @autoclosure () -> String = "data") throws -> Data {
    if case .blob(let value) = try stored(cell) { return value } else { throw unexpected(expected()) }
  }

  /// A cell in its stored form, whatever that is.
  /// - Throws: ``DAOError/misuse(_:use:)`` where the cell was kept from another row.
  public mutating func stored(_ cell: Cell) throws -> StoredValue {
    guard let functions else { return held() }
    try check(cell)
    switch cell.form {
    case 1: return .integer(functions.integer(cell.handle))
    case 2: return .real(functions.real(cell.handle))
    case 3: return .text(functions.string(cell.handle))
    case 4: return .blob(functions.bytes(cell.handle).map { Data(bytes: $0, count: Int(functions.byteCount(cell.handle))) } ?? Data())
    default: return .null
    }
  }

  /// A cell as its column's type has it; where the column has none, as `expected` would be stored.
  public mutating func scalar(_ cell: Cell, _ expected: AttributeType = .any) throws -> Scalar {
    do { return try (type == .any ? expected : type).scalar(try stored(cell)) } catch let problem as ValueProblem { throw failed(problem) }
  }

  /// Returns the value of the next column of a row in memory; null beyond the last.
  @usableFromInline mutating func held() -> StoredValue { Int(column) < values.count ? values[Int(column)] : .null }

  @usableFromInline mutating func heldCell() -> Cell {
    switch held() {
    case .integer: Cell(form: 1, handle: nil, row: row)
    case .real: Cell(form: 2, handle: nil, row: row)
    case .text: Cell(form: 3, handle: nil, row: row)
    case .blob: Cell(form: 4, handle: nil, row: row)
    case .null: Cell(form: 5, handle: nil, row: row)
    }
  }

  /// The problem that the column is of another form than expected.
  @usableFromInline mutating func unexpected(_ expected: String) -> any Error {
    let found: StoredValue
    do { found = try stored(cell()) } catch { return error }
    return failed(ValueProblem(found.isNull ? "expects \(expected), but is null" : "expects \(expected), not \(found.shown)"))
  }

  /// The error of a problem with the column, for a type that reads itself: ``DAOError/undecodable(entity:column:row:problem:)`` by its
  /// store.
  public mutating func failed(_ problem: ValueProblem) -> any Error { RowProblem(column: position, row: rowNumber, problem: problem) }

  /// Columns of the row in their stored form, wherever the reader is.
  /// - Throws: an error, ``DAOError/undecodable(entity:column:row:problem:)`` by its store, where one holds text that is not UTF-8: a
  ///   `String` would hold another.
  public mutating func stored(at columns: [Int]) throws -> [StoredValue] {
    let current = column
    defer { column = current }
    var values: [StoredValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      self.column = Int32(column)
      let cell = try cell()
      let value = try stored(cell)
      if case .text(let text) = value, let functions {
        let bytes = UnsafeBufferPointer(start: functions.text(cell.handle), count: Int(functions.byteCount(cell.handle)))
        guard text.hasUTF8(bytes) else { throw failed(ValueProblem("holds text that is not UTF-8")) }
      }
      values.append(value)
    }
    return values
  }

  /// A column of the row in its stored form, wherever the reader is; text that is not UTF-8 as a `String` has it.
  package mutating func stored(at column: Int) throws -> StoredValue {
    let current = self.column
    defer { self.column = current }
    self.column = Int32(column)
    return try stored(cell())
  }

  /// A column's integer, wherever the reader is; nil where it holds something else. The reader stands on its row.
  @inline(__always)
  mutating func integer(at column: Int32) -> Int64? {
    guard let functions else {
      if case .integer(let value) = values[Int(column)] { return value }
      return nil
    }
    let value = functions.column(statement, column)
    return functions.type(value) == 1 ? functions.integer(value) : nil
  }

  /// The bytes of a column's text, where they are not UTF-8.
  package mutating func invalidText(at column: Int) throws -> Data? {
    let current = self.column
    defer { self.column = current }
    self.column = Int32(column)
    let cell = try cell()
    guard let functions, case .text(let text) = try stored(cell) else { return nil }
    let bytes = UnsafeBufferPointer(start: functions.text(cell.handle), count: Int(functions.byteCount(cell.handle)))
    return text.hasUTF8(bytes) ? nil : Data(bytes)
  }

  /// Takes the next column in its stored form, whatever that is.
  /// - Throws: ``DAOError/misuse(_:use:)`` where the reader was kept and its statement stands on another row.
  public mutating func takeStored() throws -> StoredValue {
    let value = try stored(cell())
    column += 1
    return value
  }

  /// Takes the next column as its type has it.
  public mutating func takeScalar() throws -> Scalar {
    let value = try scalar(try cell())
    column += 1
    return value
  }
}

extension String {
  fileprivate func hasUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count, let ownStart = own.baseAddress, let start = bytes.baseAddress else { return own.count == bytes.count }
      return memcmp(ownStart, start, own.count) == 0
    } ?? utf8.elementsEqual(bytes)
  }
}
