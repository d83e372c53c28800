import Foundation

/// Reads rows into `Decodable` types, whose keys are the columns' names.
package struct RowDecoder: Sendable {
  private let positions: [String: Int]
  private let names: [String]

  /// A decoder for rows with these columns.
  package init(columns names: [String]) {
    self.names = names
    positions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// One value from the columns of a row.
  /// - Throws: ``RowProblem`` with the column, where a value is missing or of another type.
  package func decode<Value: Decodable>(_ type: Value.Type, from row: inout RowReader) throws -> Value {
    var scalars: [Scalar] = []
    scalars.reserveCapacity(names.count)
    while row.position < row.columnCount { scalars.append(try row.takeScalar()) }
    let decoder = ScalarsDecoder(scalars: scalars, positions: positions)
    do { return try Value(from: decoder) } catch let error as DecodingError {
      throw RowProblem(column: error.column(in: positions) ?? 0, row: row.rowNumber, problem: ValueProblem(error.summary))
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context): context
    @unknown default: nil
    }
  }

  fileprivate var summary: String { context?.debugDescription ?? "can't be decoded" }

  fileprivate func column(in positions: [String: Int]) -> Int? { context?.codingPath.first.flatMap { positions[$0.stringValue] } }
}

/// The values of one row as a decoder sees them.
private struct ScalarsDecoder: Decoder {
  let scalars: [Scalar]
  let positions: [String: Int]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedScalars(scalars: scalars, positions: positions))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a row has names, and is no list"))
  }

  /// A row of one column can be decoded as its value.
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard let scalar = scalars.first, scalars.count == 1 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a row of several columns is no single value"))
    }
    return SingleScalar(scalar: scalar, codingPath: [])
  }
}

private struct KeyedScalars<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let scalars: [Scalar]
  let positions: [String: Int]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { positions.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { positions[key.stringValue] != nil }

  private func scalar(_ key: Key) throws -> Scalar {
    guard let position = positions[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: [key], debugDescription: "there is no column '\(key.stringValue)'"))
    }
    return scalars[position]
  }

  func decodeNil(forKey key: Key) throws -> Bool { try scalar(key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try SingleScalar(scalar: scalar(key), codingPath: [key]).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    throw DecodingError.dataCorrupted(.init(codingPath: [key], debugDescription: "a column holds one value"))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw DecodingError.dataCorrupted(.init(codingPath: [key], debugDescription: "a column holds one value"))
  }

  func superDecoder() throws -> any Decoder { ScalarsDecoder(scalars: scalars, positions: positions) }

  func superDecoder(forKey key: Key) throws -> any Decoder { ScalarsDecoder(scalars: [try scalar(key)], positions: [:]) }
}

/// One value as a decoder sees it.
private struct SingleScalar: SingleValueDecodingContainer, Decoder {
  let scalar: Scalar
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decodeNil() -> Bool { scalar.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let attribute = type as? any AttributeValue.Type {
      do {
        if let value = try attribute.init(scalar: scalar(as: attribute.attributeType)) as? Value { return value }
      } catch {
        let context = DecodingError.Context(
          codingPath: codingPath, debugDescription: scalar.isNull ? "expects \(type), but is null" : "\(error)")
        throw scalar.isNull ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
      }
    }
    // A raw-valued enum and the like ask for their single value; JSON text is decoded as what it spells.
    if case .text(let text) = scalar, text.first == "{" || text.first == "[" {
      do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch let error as DecodingError {
        // The path inside the JSON is none of columns.
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "expects JSON of \(type): \(error.summary)"))
      }
    }
    return try Value(from: self)
  }

  /// The value; one of a column without a declared type as the type that is asked for stores it.
  private func scalar(as type: AttributeType) -> Scalar {
    // The other kinds that the column can't have stay as they are.
    if case .bool = scalar { return scalar }
    return (try? type.scalar(AttributeType.any.stored(scalar))) ?? scalar
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw notNested }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notNested }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  private var notNested: DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: "a column holds one value, not \(scalar.shown)"))
  }
}
