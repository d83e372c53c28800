import Foundation

/// A Swift type that one attribute can hold.
///
/// All integers, `Double`, `Float`, `Bool`, `String`, `Data`, `UUID`, `URL`, `Date`, `Decimal`, and the optional of each conform. For your
/// own types declare the conformance; the rest is provided:
///
/// ```swift
/// enum Kind: String, AttributeValue { case land, sea }               // raw value
/// struct Address: JSONAttributeValue { var street: String }          // JSON text
/// struct Celsius: ConvertedAttributeValue {                          // a two-way conversion
///   var degrees: Double
///   init(stored: Double) { degrees = stored }
///   var stored: Double { degrees }
/// }
/// ```
public protocol AttributeValue: Sendable {
  /// The type without its optional; itself where it has none.
  associatedtype Unwrapped: AttributeValue = Self

  /// The type of a mean of such values: `Decimal` of decimals, else `Double`.
  associatedtype Mean: AttributeValue = Double

  /// The type that its values are compared as: `Double` of integers and doubles of any width, which compare with each other exactly, else
  /// itself.
  associatedtype Compared: AttributeValue = Self

  /// The attribute type that holds it where the description does not choose another form.
  static var attributeType: AttributeType { get }

  /// Whether it can be null.
  static var isOptional: Bool { get }

  /// The value that a scalar stands for.
  /// - Throws: ``ValueProblem`` where it stands for none.
  init(scalar: Scalar) throws

  /// The value as a scalar.
  /// - Throws: ``ValueProblem`` where it can't be kept.
  var scalar: Scalar { get throws }

  /// Reads the value from a cell of a row.
  /// - Throws: ``RowReader/failed(_:)``, ``DAOError/undecodable(entity:column:row:problem:)`` by its store.
  init(reading cell: Cell, of row: inout RowReader) throws

  /// Puts the value into the next column of a row.
  /// - Throws: ``ColumnWriter/failed(_:)``, ``DAOError/invalidValue(entity:attribute:problem:)`` by its store.
  func write(to row: inout ColumnWriter) throws
}

extension AttributeValue {
  /// Not optional.
  @inlinable public static var isOptional: Bool { false }

  /// Through ``init(scalar:)``.
  public init(reading cell: Cell, of row: inout RowReader) throws {
    let scalar = try row.scalar(cell, Self.attributeType)
    do { self = try Self(scalar: scalar) } catch let problem as ValueProblem { throw row.failed(problem) }
  }

  /// Through ``scalar``.
  public func write(to row: inout ColumnWriter) throws {
    let scalar: Scalar
    do { scalar = try self.scalar } catch let problem as ValueProblem { throw row.failed(problem) }
    try row.putScalar(scalar)
  }

  static func mismatch(_ scalar: Scalar) -> ValueProblem { ValueProblem("expects \(Self.self), not \(scalar.shown)") }
}

// Enums and other types with a raw value.
extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// The raw value's.
  public static var attributeType: AttributeType { RawValue.attributeType }

  /// The value with this raw value.
  public init(scalar: Scalar) throws {
    guard let value = Self(rawValue: try RawValue(scalar: scalar)) else { throw Self.mismatch(scalar) }
    self = value
  }

  /// The raw value.
  public var scalar: Scalar { get throws { try rawValue.scalar } }
}

/// Values as JSON text.
enum JSONText {
  static func decode<Value: Decodable>(_ scalar: Scalar) throws -> Value {
    guard case .text(let text) = scalar else { throw ValueProblem("expects JSON of \(Value.self), not \(scalar.shown)") }
    do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
      throw ValueProblem("expects JSON of \(Value.self), not \(scalar.shown): \(error)")
    }
  }

  static func encode(_ value: some Encodable) throws -> Scalar {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return .text(String(decoding: try encoder.encode(value), as: UTF8.self)) } catch {
      throw ValueProblem("can't be written as JSON: \(error)")
    }
  }
}
