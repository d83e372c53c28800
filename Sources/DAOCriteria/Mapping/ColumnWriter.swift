import Foundation

/// Takes the values of an entity in the order of its attributes, in the form in which each is stored.
///
/// ```swift
/// func write(to row: inout ColumnWriter) throws {
///   try row.write(id)
///   try row.write(name)
///   try row.write(comment)
/// }
/// ```
public struct ColumnWriter {
  @usableFromInline let statement: WriteFunctions.Statement?
  @usableFromInline let functions: WriteFunctions?
  @usableFromInline let texts: BoundTexts?
  @usableFromInline let types: [AttributeType]
  @usableFromInline let firstParameter: Int32
  @usableFromInline var column: Int32 = 0
  /// The values written so far, if the writer collects them.
  public internal(set) var values: [StoredValue] = []
  /// The first code other than 0 that a bind returned.
  @usableFromInline var code: Int32 = 0
  // The column of an integer key, and the value written there.
  @usableFromInline var keyColumn: Int32 = -1
  @usableFromInline var key: Int64 = 0

  /// Binds the values to a statement's parameters, from `firstParameter` (counted from 1) on.
  /// - Parameter texts: the statement's; nil where its engine copies the texts.
  @inlinable
  public init(
    statement: WriteFunctions.Statement, functions: WriteFunctions, texts: BoundTexts? = nil, types: [AttributeType],
    firstParameter: Int32 = 1
  ) {
    self.statement = statement
    self.functions = functions
    self.texts = texts
    // A row that was not written to its end has left some.
    texts?.count = 0
    self.types = types
    self.firstParameter = firstParameter
  }

  /// Collects the values in ``values``.
  public init(collecting types: [AttributeType]) {
    self.statement = nil
    self.functions = nil
    self.texts = nil
    self.types = types
    self.firstParameter = 1
    values.reserveCapacity(types.count)
  }

  /// How many values were written.
  public var position: Int { Int(column) }

  /// The code with which binding failed; 0 where it did not.
  public var bindingFailure: Int32 { code }

  /// Writes the next attribute's value.
  /// - Throws: an error, ``DAOError/invalidValue(entity:attribute:problem:)`` by its store, where the value does not fit the attribute's
  ///   type.
  @inlinable @inline(__always)
  public mutating func write<Value: AttributeValue>(_ value: Value) throws {
    try value.write(to: &self)
  }
}

// The functions with which values write themselves. Each call fills one column.
extension ColumnWriter {
  /// The type of the attribute that is written next; `.any` beyond the last.
  @inlinable public var type: AttributeType {
    Int(column) < types.count ? types[Int(column)] : .any
  }

  /// Puts null.
  @inlinable @inline(__always)
  public mutating func putNull() {
    if let functions { note(functions.bindNull(statement, firstParameter + column)) } else { collect(.null) }
    column += 1
  }

  /// Puts an integer.
  @inlinable @inline(__always)
  public mutating func putInteger(_ value: Int64) {
    if column == keyColumn { key = value }
    if let functions { note(functions.bindInteger(statement, firstParameter + column, value)) } else { collect(.integer(value)) }
    column += 1
  }

  /// Puts a double.
  /// - Throws: an error, ``DAOError/invalidValue(entity:attribute:problem:)`` by its store, for NaN, which SQLite would store as null.
  @inlinable @inline(__always)
  public mutating func putReal(_ value: Double) throws {
    guard !value.isNaN else { throw ColumnProblem(column: Int(column), problem: ValueProblem("can't hold NaN")) }
    if let functions { note(functions.bindReal(statement, firstParameter + column, value)) } else { collect(.real(value)) }
    column += 1
  }

  /// Puts text.
  @inlinable @inline(__always)
  public mutating func putText(_ value: String) {
    if let functions {
      var value = value
      note(
        value.withUTF8 { text in
          guard let kept = texts?.keep(text) else {
            return functions.bindText(statement, firstParameter + column, text.baseAddress, text.count)
          }
          return functions.bindKeptText(statement, firstParameter + column, kept, text.count)
        })
    } else {
      collect(.text(value))
    }
    column += 1
  }

  /// Puts bytes.
  @inlinable
  public mutating func putData(_ value: Data) {
    if let functions {
      note(value.withUnsafeBytes { functions.bindBytes(statement, firstParameter + column, $0.baseAddress, $0.count) })
    } else {
      collect(.blob(value))
    }
    column += 1
  }

  /// Puts a value in its stored form.
  public mutating func putStored(_ value: StoredValue) throws {
    switch value {
    case .null: putNull()
    case .integer(let value): putInteger(value)
    case .real(let value): try putReal(value)
    case .text(let value): putText(value)
    case .blob(let value): putData(value)
    }
  }

  /// Puts a value in the form that the attribute's type has.
  /// - Throws: an error, ``DAOError/invalidValue(entity:attribute:problem:)`` by its store, where it does not fit.
  public mutating func putScalar(_ value: Scalar) throws {
    let stored: StoredValue
    do { stored = try type.stored(value) } catch let problem as ValueProblem { throw failed(problem) }
    try putStored(stored)
  }

  /// Ends a row, and begins the next with the first column.
  /// - Throws: an error, ``DAOError/invalidValue(entity:attribute:problem:)`` by its store, where an attribute was not written, since its
  ///   parameter would keep what an earlier row bound, or where more was written than there are attributes; or where the engine refused a
  ///   value.
  @inlinable @inline(__always)
  public mutating func endRow() throws {
    guard Int(column) == types.count, code == 0 else { throw rowFailure() }
    column = 0
    // They are overwritten by those of the next row, which is bound when this one has run.
    texts?.count = 0
  }

  @usableFromInline mutating func rowFailure() -> any Error {
    // Asked first: the engine refuses values that are too many as well, but knows no better why.
    guard position == types.count else {
      return ColumnProblem(
        column: min(position, types.count),
        problem: ValueProblem("can't be right: \(position) values were written for \(types.count) attributes"))
    }
    return StepFailure(code: code)
  }

  /// The error of a problem with the value that is written next, for a type that writes itself:
  /// ``DAOError/invalidValue(entity:attribute:problem:)`` by its store.
  public func failed(_ problem: ValueProblem) -> any Error { ColumnProblem(column: Int(column), problem: problem) }

  @usableFromInline mutating func collect(_ value: StoredValue) { values.append(value) }

  @inlinable mutating func note(_ result: Int32) { if result != 0, code == 0 { code = result } }
}
