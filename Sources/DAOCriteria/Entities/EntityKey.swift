import Foundation

/// A value that identifies one row of an entity: a number, a text, a UUID, or several attributes together.
///
/// A composite key reads and writes its parts in the order that the description's key has:
///
/// ```swift
/// struct PrimaryKey: EntityKey {
///   var zoneID: Int64
///   var instant: Date
///   init(row: inout RowReader) throws { zoneID = try row.next(); instant = try row.next() }
///   func write(to row: inout ColumnWriter) throws { try row.write(zoneID); try row.write(instant) }
/// }
/// ```
public protocol EntityKey: Hashable, Sendable {
  /// Reads the key's attributes.
  init(row: inout RowReader) throws
  /// Writes the key's attributes.
  func write(to row: inout ColumnWriter) throws
  /// Runs a statement for each key. The default is right for all; it is a requirement so that the loop is compiled for the key.
  static func writeAll(_ keys: [Self], to rows: inout RowWriter) throws
  /// Reads a key of each row. The default is right for all; it is a requirement so that the loop is compiled for the key.
  static func readAll(_ rows: inout RowCursor, into keys: inout [Self]) throws
}

extension EntityKey {
  /// Runs the statement key by key.
  @inlinable
  public static func writeAll(_ keys: [Self], to rows: inout RowWriter) throws {
    for key in keys {
      try key.write(to: &rows.columns)
      _ = try rows.run()
    }
  }

  /// Reads row by row.
  @inlinable
  public static func readAll(_ rows: inout RowCursor, into keys: inout [Self]) throws {
    while try rows.advance() { keys.append(try Self(row: &rows.row)) }
  }
}

extension EntityKey where Self: AttributeValue {
  /// Reads the one attribute of the key.
  @inlinable public init(row: inout RowReader) throws { self = try row.next() }
}

extension Int: EntityKey {}
extension Int8: EntityKey {}
extension Int16: EntityKey {}
extension Int32: EntityKey {}
extension Int64: EntityKey {}
extension UInt: EntityKey {}
extension UInt8: EntityKey {}
extension UInt16: EntityKey {}
extension UInt32: EntityKey {}
extension UInt64: EntityKey {}
extension String: EntityKey {}
extension UUID: EntityKey {}
extension URL: EntityKey {}
extension Date: EntityKey {}
extension Decimal: EntityKey {}
extension Data: EntityKey {}

/// The key of a dynamic entity: its values in the description's order.
extension Array: EntityKey where Element == Scalar {
  /// Reads all columns of the row.
  public init(row: inout RowReader) throws {
    self = []
    reserveCapacity(row.columnCount)
    while row.position < row.columnCount { append(try row.next()) }
  }

  /// Writes each value.
  public func write(to row: inout ColumnWriter) throws { for value in self { try row.write(value) } }
}
