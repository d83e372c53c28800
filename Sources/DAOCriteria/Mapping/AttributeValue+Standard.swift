extension AttributeValue where Self: FixedWidthInteger {
  /// An integer column.
  @inlinable public static var attributeType: AttributeType { .integer }

  /// The integer, if it fits this width.
  public init(scalar: Scalar) throws {
    guard case .integer(let value) = scalar, let exact = Self(exactly: value) else { throw Self.mismatch(scalar) }
    self = exact
  }

  /// The integer; one above `Int64.max` can't be stored.
  @inlinable public var scalar: Scalar { get throws { .integer(try storable) } }

  /// Reads an integer that fits this width.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws {
    let value = try row.integer(cell)
    guard let exact = Self(exactly: value) else { throw row.failed(ValueProblem("expects \(Self.self), not \(value)")) }
    self = exact
  }

  /// Writes the integer.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws {
    guard row.type != .integer else {
      if let value = Int64(exactly: self) { row.putInteger(value) } else { throw row.failed(Self.tooLarge(self)) }
      return
    }
    try writeOther(to: &row)
  }

  /// Doubles and decimals would take an integer in a form that is not read as one.
  @usableFromInline func writeOther(to row: inout ColumnWriter) throws {
    switch row.type {
    case .real, .decimal: throw row.failed(ValueProblem("expects \(row.type), not \(self)"))
    default: try row.putScalar(scalar)
    }
  }

  @usableFromInline var storable: Int64 {
    get throws {
      guard let value = Int64(exactly: self) else { throw Self.tooLarge(self) }
      return value
    }
  }

  @usableFromInline static func tooLarge(_ value: Self) -> ValueProblem {
    ValueProblem("can't hold \(value): integers are stored in 64 bits with a sign")
  }
}

extension Int: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension Int8: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension Int16: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension Int32: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension Int64: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension UInt: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension UInt8: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension UInt16: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension UInt32: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}
extension UInt64: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double
}

extension Double: AttributeValue {
  /// A double column.
  public static var attributeType: AttributeType { .real }

  /// The number.
  public init(scalar: Scalar) throws {
    switch scalar {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: throw Self.mismatch(scalar)
    }
  }

  /// The number.
  @inlinable public var scalar: Scalar { .real(self) }

  /// Reads a double.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws { self = try row.real(cell) }

  /// Writes a double.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws {
    switch row.type {
    case .real, .any: try row.putReal(self)
    default: try row.putScalar(scalar)
    }
  }
}

extension Float: AttributeValue {
  /// Compared with all integers and doubles.
  public typealias Compared = Double

  /// A double column.
  public static var attributeType: AttributeType { .real }

  /// The number, rounded to this width.
  public init(scalar: Scalar) throws { self.init(try Double(scalar: scalar)) }

  /// The number.
  public var scalar: Scalar { .real(Double(self)) }

  /// Reads a double and rounds it.
  public init(reading cell: Cell, of row: inout RowReader) throws { self.init(try row.real(cell)) }

  /// Writes a double.
  public func write(to row: inout ColumnWriter) throws { try Double(self).write(to: &row) }
}

extension Bool: AttributeValue {
  /// A truth column.
  public static var attributeType: AttributeType { .bool }

  /// The truth value.
  public init(scalar: Scalar) throws {
    guard case .bool(let value) = scalar else { throw Self.mismatch(scalar) }
    self = value
  }

  /// The truth value.
  @inlinable public var scalar: Scalar { .bool(self) }

  /// Reads 0 or 1, or a word where the attribute is kept so; nothing else is a truth value.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws {
    if case .boolText = row.type {
      self = try row.truth(cell)
      return
    }
    let value = try row.integer(cell, "0 or 1")
    guard value == 0 || value == 1 else { throw row.failed(ValueProblem("expects 0 or 1, not \(value)")) }
    self = value == 1
  }

  /// Writes 0 or 1.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws {
    switch row.type {
    case .bool, .any: row.putInteger(self ? 1 : 0)
    default: try row.putScalar(scalar)
    }
  }
}

extension String: AttributeValue {
  /// A text column.
  public static var attributeType: AttributeType { .text }

  /// The text.
  public init(scalar: Scalar) throws {
    guard case .text(let value) = scalar else { throw Self.mismatch(scalar) }
    self = value
  }

  /// The text.
  @inlinable public var scalar: Scalar { .text(self) }

  /// Reads text.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws {
    self = try row.columns.hasEncodedText ? row.storedText(cell) : row.text(cell)
  }

  /// Writes text.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws {
    switch row.type {
    case .text, .storedText(.nocase), .storedText(.rtrim), .json, .any: row.putText(self)
    default: try row.putScalar(scalar)
    }
  }
}

extension Scalar: AttributeValue {
  /// The mean is as the attribute's type has it.
  public typealias Mean = Scalar

  /// Whatever the row has.
  public static var attributeType: AttributeType { .any }

  /// Null is one of its values.
  public static var isOptional: Bool { true }

  /// Itself.
  public init(scalar: Scalar) { self = scalar }

  /// Itself.
  public var scalar: Scalar { self }

  /// Reads the value as its attribute's type has it.
  public init(reading cell: Cell, of row: inout RowReader) throws { self = try row.scalar(cell) }

  /// Writes the value as its attribute's type has it.
  public func write(to row: inout ColumnWriter) throws { try row.putScalar(self) }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The wrapped type's, which is never optional itself.
  public typealias Unwrapped = Wrapped.Unwrapped

  /// The wrapped type's.
  public typealias Mean = Wrapped.Mean

  /// The wrapped type's.
  public static var attributeType: AttributeType { Wrapped.attributeType }

  /// Optional.
  @inlinable public static var isOptional: Bool { true }

  /// nil for `.null`.
  public init(scalar: Scalar) throws { self = scalar.isNull ? nil : .some(try Wrapped(scalar: scalar)) }

  /// `.null` for nil.
  @inlinable public var scalar: Scalar { get throws { try self?.scalar ?? .null } }

  /// Reads null as nil.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws { self = cell.isNull ? nil : .some(try Wrapped(reading: cell, of: &row)) }

  /// Writes nil as null.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws {
    if let self { try self.write(to: &row) } else { row.putNull() }
  }
}

extension Array: AttributeValue where Element: Codable & AttributeValue {
  /// A JSON array.
  public static var attributeType: AttributeType { .json }

  /// Decodes the JSON.
  public init(scalar: Scalar) throws { self = try JSONText.decode(scalar) }

  /// Encodes to JSON.
  public var scalar: Scalar { get throws { try JSONText.encode(self) } }
}

extension Dictionary: AttributeValue where Key: Codable & AttributeValue, Value: Codable & AttributeValue {
  /// A JSON object.
  public static var attributeType: AttributeType { .json }

  /// Decodes the JSON.
  public init(scalar: Scalar) throws { self = try JSONText.decode(scalar) }

  /// Encodes to JSON.
  public var scalar: Scalar { get throws { try JSONText.encode(self) } }
}
