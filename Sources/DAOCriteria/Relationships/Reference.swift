/// The key of a row of another entity, as the attribute that holds it has it, and the row itself where it was prefetched.
///
/// ```swift
/// @ToOne var country: Reference<Country>?
///
/// zone.country?.key                                               // "SK": always there
/// zone.country = Reference("AT")                                  // by key
/// zone.country = try Reference(to: austria)                       // by row
///
/// let found = try zones.findAll(SearchCriteria().prefetch(\.country))    // one statement more, however many zones
/// try found[0].country?.get().name
/// ```
///
/// It is kept and compared as its key: two references are equal where their keys are, fetched or not; it is hashed, printed, encoded and
/// decoded as its key too. An entity with references can therefore be `Hashable`, `Identifiable`, and `Codable` where the keys are, with no
/// code of its own. In criteria it stands for the key, and its members for the other row's: `{ $0.country == "SK" }` or, of a variable, `{
/// $0.country == Reference(code) }`, and `{ $0.country.name == "Slovakia" }`.
///
/// The other entity's key is one attribute; one with several needs attributes of their own and a ``Relationship``.
public struct Reference<Target: Entity>: Sendable where Target.PrimaryKey: AttributeValue {
  /// The other row's key.
  public let key: Target.PrimaryKey
  @usableFromInline var state: State

  @usableFromInline enum State: Sendable {
    /// Read from a row, by the property at this place: `"zone.country"`.
    case read(at: StaticString, under: FetchPath?)
    /// Made from a key.
    case made
    case fetched(FetchedRow<Target>)
    /// Looked for, and not there.
    case missing
  }

  @inlinable init(_ key: Target.PrimaryKey, _ state: State) {
    self.key = key
    self.state = state
  }

  /// A reference to the row with a key. It has no row to ``get()``.
  @inlinable public init(_ key: Target.PrimaryKey) { self.init(key, .made) }

  /// A reference to a row.
  /// - Throws: ``DAOError/misuse(_:use:)`` where the row has no key yet.
  public init(to row: Target) throws {
    guard let key = row.primaryKey else {
      throw DAOError.misuse("a \(Target.entityDescription.name) that was never inserted was referred to", use: "what insert returned")
    }
    self.init(key, .fetched(FetchedRow(row)))
  }

  /// The other row, as it was when it was fetched.
  /// - Throws: ``DAOError/notFetched(entity:relationship:use:)`` where the criteria did not prefetch it; ``DAOError/notFound(entity:key:)``
  ///   where there was no such row.
  public func get() throws -> Target {
    switch state {
    case .fetched(let fetched): return fetched.row
    case .missing: throw DAOError.notFound(entity: Target.entityDescription.name, key: "\(key)")
    case .read(let place, let path): throw DAOError.notFetched(at: place, under: path)
    case .made: throw DAOError.notFetched(Target.entityDescription.name)
    }
  }
}

/// A row that several references share. It is an object so that an entity can refer to its own kind.
@usableFromInline final class FetchedRow<Row: Entity>: Sendable {
  @usableFromInline let row: Row
  @inlinable init(_ row: Row) { self.row = row }
}

// `\.country == "SK"` means what `\.country == Reference("SK")` does.
extension Reference: ExpressibleByIntegerLiteral where Target.PrimaryKey: ExpressibleByIntegerLiteral {
  /// A reference to the row with this key.
  public init(integerLiteral key: Target.PrimaryKey.IntegerLiteralType) { self.init(Target.PrimaryKey(integerLiteral: key)) }
}

extension Reference: ExpressibleByUnicodeScalarLiteral where Target.PrimaryKey: ExpressibleByUnicodeScalarLiteral {
  /// A reference to the row with this key.
  public init(unicodeScalarLiteral key: Target.PrimaryKey.UnicodeScalarLiteralType) {
    self.init(Target.PrimaryKey(unicodeScalarLiteral: key))
  }
}

extension Reference: ExpressibleByExtendedGraphemeClusterLiteral where Target.PrimaryKey: ExpressibleByExtendedGraphemeClusterLiteral {
  /// A reference to the row with this key.
  public init(extendedGraphemeClusterLiteral key: Target.PrimaryKey.ExtendedGraphemeClusterLiteralType) {
    self.init(Target.PrimaryKey(extendedGraphemeClusterLiteral: key))
  }
}

extension Reference: ExpressibleByStringLiteral where Target.PrimaryKey: ExpressibleByStringLiteral {
  /// A reference to the row with this key.
  public init(stringLiteral key: Target.PrimaryKey.StringLiteralType) { self.init(Target.PrimaryKey(stringLiteral: key)) }
}

// As its key: the row that was fetched along is no part of the value.
extension Reference: Encodable where Target.PrimaryKey: Encodable {
  /// Writes the key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(key)
  }
}

extension Reference: Decodable where Target.PrimaryKey: Decodable {
  /// Reads the key. The row is one that was not fetched.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Target.PrimaryKey.self)) }
}

extension Reference: Hashable {
  /// Equality of the keys.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key == rhs.key }

  /// Feeds the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Reference: CustomStringConvertible {
  /// The key.
  public var description: String { "\(key)" }
}

extension Reference: AttributeValue, EntityKey {
  /// The key's.
  @inlinable public static var attributeType: AttributeType { Target.PrimaryKey.attributeType }

  /// A reference to the row with this key.
  public init(scalar: Scalar) throws { self.init(try Target.PrimaryKey(scalar: scalar)) }

  /// The key.
  public var scalar: Scalar { get throws { try key.scalar } }

  /// Reads the key.
  @inlinable @inline(__always)
  public init(reading cell: Cell, of row: inout RowReader) throws { self.init(try Target.PrimaryKey(reading: cell, of: &row)) }

  /// Writes the key.
  @inlinable @inline(__always)
  public func write(to row: inout ColumnWriter) throws { try row.write(key) }
}

extension RowReader {
  /// The next column's value as a reference that knows its place, which the error of ``Reference/get()`` names.
  /// - Parameter place: entity and relationship: `"zone.country"`.
  @inlinable @inline(__always)
  public mutating func next<Target>(at place: StaticString) throws -> Reference<Target> {
    Reference(try next(Target.PrimaryKey.self), .read(at: place, under: path))
  }

  /// The same, nil where the column is null.
  @inlinable @inline(__always)
  public mutating func next<Target>(at place: StaticString) throws -> Reference<Target>? {
    guard let key = try next(Target.PrimaryKey?.self) else { return nil }
    return Reference(key, .read(at: place, under: path))
  }
}
