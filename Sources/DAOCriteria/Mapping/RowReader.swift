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
  @usableFromInline let types: [AttributeType]
  @usableFromInline var values: [StoredValue]
  @usableFromInline var column: Int32 = 0
  /// The entity whose attributes the columns are, where they are those of one.
  public let entity: EntityDescription?
  /// The row's number in its result, from 0.
  public var rowNumber = 0

  /// Reads the row on which a statement stands.
  public init(statement: RowFunctions.Statement, functions: RowFunctions, types: [AttributeType], entity: EntityDescription? = nil) {
    self.entity = entity
    self.statement = statement
    self.functions = functions
    self.types = types
    self.values = []
  }

  /// Reads a row that is held in memory.
  public init(_ values: [StoredValue], types: [AttributeType], entity: EntityDescription? = nil) {
    self.entity = entity
    self.statement = nil
    self.functions = nil
    self.types = types
    self.values = values
  }

  /// How many columns a row has.
  public var columnCount: Int { types.count }

  /// Where the next value is read, from 0.
  public var position: Int { Int(column) }

  /// The next column's value.
  /// - Throws: ``RowProblem`` where it is null and `Value` is not optional, or where it is stored in another form.
  @inlinable @inline(__always)
  public mutating func next<Value: AttributeValue>(_ type: Value.Type = Value.self) throws -> Value {
    try Value(reading: &self)
  }

  /// Goes on to the row that follows, whose columns are read from the first.
  @inlinable @inline(__always)
  public mutating func startRow() {
    column = 0
    rowNumber += 1
  }
}

/// A column that could not be read. The store adds the entity and the column's name.
public struct RowProblem: Error, Sendable {
  /// The column, from 0.
  public let column: Int
  /// The row in its result, from 0.
  public let row: Int
  /// What is wrong.
  public let problem: ValueProblem

  /// A problem with a column of a row.
  public init(column: Int, row: Int, problem: ValueProblem) {
    self.column = column
    self.row = row
    self.problem = problem
  }
}

// What values read themselves with. Each call takes one column.
extension RowReader {
  /// The type of the column that is read next; `.any` beyond the last.
  @inlinable public var type: AttributeType {
    Int(column) < types.count ? types[Int(column)] : .any
  }

  /// Takes the next column if it is null; leaves it where it is not.
  @inlinable @inline(__always)
  public mutating func takeNull() -> Bool {
    if let functions {
      guard functions.columnType(statement, column) == 5 else { return false }
    } else {
      guard Int(column) < values.count ? values[Int(column)].isNull : true else { return false }
    }
    column += 1
    return true
  }

  /// Takes the next column's integer.
  @inlinable @inline(__always)
  public mutating func takeInteger(_ expected: @autoclosure () -> String = "an integer") throws -> Int64 {
    if let functions, functions.columnType(statement, column) == 1 {
      let value = functions.columnInteger(statement, column)
      column += 1
      return value
    }
    guard case .integer(let value) = stored() else { throw unexpected(expected()) }
    column += 1
    return value
  }

  /// Takes the next column's double; an integer is widened.
  @inlinable @inline(__always)
  public mutating func takeReal(_ expected: @autoclosure () -> String = "a double") throws -> Double {
    if let functions, functions.columnType(statement, column) <= 2 {
      let value = functions.columnReal(statement, column)
      column += 1
      return value
    }
    switch stored() {
    case .real(let value):
      column += 1
      return value
    case .integer(let value):
      column += 1
      return Double(value)
    default: throw unexpected(expected())
    }
  }

  /// Takes the next column's text.
  @inlinable @inline(__always)
  public mutating func takeText(_ expected: @autoclosure () -> String = "text") throws -> String {
    if let functions, functions.columnType(statement, column) == 3 {
      let bytes = functions.columnText(statement, column)
      let count = Int(functions.columnByteCount(statement, column))
      column += 1
      return String(decoding: UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
    }
    guard case .text(let value) = stored() else { throw unexpected(expected()) }
    column += 1
    return value
  }

  /// Takes the next column's bytes.
  @inlinable
  public mutating func takeData(_ expected: @autoclosure () -> String = "data") throws -> Data {
    guard case .blob(let value) = stored() else { throw unexpected(expected()) }
    column += 1
    return value
  }

  /// Takes the next column in its stored form, whatever that is.
  public mutating func takeStored() -> StoredValue {
    let value = stored()
    column += 1
    return value
  }

  /// Takes the next column as its type has it; where it has none, as `expected` would be stored.
  public mutating func takeScalar(_ expected: AttributeType = .any) throws -> Scalar {
    do {
      let scalar = try (type == .any ? expected : type).scalar(stored())
      column += 1
      return scalar
    } catch let problem as ValueProblem {
      throw RowProblem(column: Int(column), row: rowNumber, problem: problem)
    }
  }

  /// The next column in its stored form; it stays the next.
  @usableFromInline func stored() -> StoredValue {
    guard let functions else { return Int(column) < values.count ? values[Int(column)] : .null }
    switch functions.columnType(statement, column) {
    case 1: return .integer(functions.columnInteger(statement, column))
    case 2: return .real(functions.columnReal(statement, column))
    case 3:
      let bytes = functions.columnText(statement, column)
      let count = Int(functions.columnByteCount(statement, column))
      return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self))
    case 4:
      let bytes = functions.columnBytes(statement, column)
      let count = Int(functions.columnByteCount(statement, column))
      return .blob(bytes.map { Data(bytes: $0, count: count) } ?? Data())
    default: return .null
    }
  }

  /// The problem that the next column is of another form than expected.
  @usableFromInline func unexpected(_ expected: String) -> RowProblem {
    let found = stored()
    return failed(ValueProblem(found.isNull ? "expects \(expected), but is null" : "expects \(expected), not \(found)"))
  }

  /// A problem with the next column.
  public func failed(_ problem: ValueProblem) -> RowProblem {
    RowProblem(column: Int(column), row: rowNumber, problem: problem)
  }
}
