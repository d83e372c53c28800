import Foundation

extension Data: AttributeValue {
  /// A column of bytes.
  public static var attributeType: AttributeType { .data }

  /// The bytes.
  public init(scalar: Scalar) throws {
    guard case .data(let value) = scalar else { throw Self.mismatch(scalar) }
    self = value
  }

  /// The bytes.
  @inlinable public var scalar: Scalar { .data(self) }

  /// Reads bytes.
  public init(reading cell: Cell, of row: inout RowReader) throws { self = try row.data(cell) }

  /// Writes bytes.
  public func write(to row: inout ColumnWriter) throws { try row.putScalar(scalar) }
}

extension UUID: AttributeValue {
  /// 16 bytes.
  public static var attributeType: AttributeType { .uuid(.blob) }

  /// The UUID, from its text too.
  public init(scalar: Scalar) throws {
    switch scalar {
    case .uuid(let value): self = value
    case .text(let text):
      guard let value = UUID(uuidString: text) else { throw Self.mismatch(scalar) }
      self = value
    default: throw Self.mismatch(scalar)
    }
  }

  /// The UUID.
  @inlinable public var scalar: Scalar { .uuid(self) }
}

extension URL: AttributeValue {
  /// A text column.
  public static var attributeType: AttributeType { .text }

  /// The URL that the text spells.
  public init(scalar: Scalar) throws {
    guard case .text(let text) = scalar, let value = URL(string: text) else { throw Self.mismatch(scalar) }
    self = value
  }

  /// The URL's absolute text.
  public var scalar: Scalar { .text(absoluteString) }
}

extension Date: AttributeValue {
  /// ISO-8601 text.
  public static var attributeType: AttributeType { .date(.iso8601) }

  /// The date.
  public init(scalar: Scalar) throws {
    guard case .date(let value) = scalar else { throw Self.mismatch(scalar) }
    self = value
  }

  /// The date.
  @inlinable public var scalar: Scalar { .date(self) }

  /// Reads a date in the attribute's form; seconds, milliseconds and texts of a pattern without a detour.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws {
    switch row.type {
    case .date(.unixMilliseconds):
      self.init(timeIntervalSince1970: Double(try row.integer(cell, "milliseconds since 1970")) / 1000)
    case .date(.unixSeconds): self.init(timeIntervalSince1970: try row.real(cell, "seconds since 1970"))
    case .date(.text(let pattern)): self = try row.date(cell, pattern)
    default: try self.init(readingScalar: cell, of: &row)
    }
  }

  /// Writes a date in the attribute's form; milliseconds without a detour.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws {
    // The last millisecond of the year 9999 may be rounded out of it.
    guard case .date(.unixMilliseconds) = row.type, AttributeType.DateStorage.range.contains(timeIntervalSince1970),
      AttributeType.DateStorage.range.contains(timeIntervalSince1970 + 0.001)
    else {
      return try row.putScalar(.date(self))
    }
    row.putInteger(Int64((timeIntervalSince1970 * 1000).rounded()))
  }

  @usableFromInline init(readingScalar cell: Cell, of row: inout RowReader) throws {
    let scalar = try row.scalar(cell, Self.attributeType)
    guard case .date(let date) = scalar else { throw row.failed(Self.mismatch(scalar)) }
    self = date
  }
}

extension Decimal: AttributeValue {
  /// A mean of exact numbers is exact to 38 digits.
  public typealias Mean = Decimal

  /// Decimal digits as text.
  public static var attributeType: AttributeType { .decimal(.text) }

  /// The number.
  public init(scalar: Scalar) throws {
    switch scalar {
    case .decimal(let value): self = value
    case .integer(let value): self = Decimal(value)
    default: throw Self.mismatch(scalar)
    }
  }

  /// The number.
  @inlinable public var scalar: Scalar { .decimal(self) }

  /// Reads a number in the attribute's form; numbers of SQLite's without a detour.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws {
    switch row.type {
    case .decimal(.numeric(let digits)), .decimal(.real(let digits)): self = try row.decimal(cell, digits: digits)
    default: try self.init(readingScalar: cell, of: &row)
    }
  }

  @usableFromInline init(readingScalar cell: Cell, of row: inout RowReader) throws {
    let scalar = try row.scalar(cell, Self.attributeType)
    do { self = try Self(scalar: scalar) } catch let problem as ValueProblem { throw row.failed(problem) }
  }
}
