import Foundation

extension AttributeType {
  /// The storage classes of the type's values.
  package var storedForm: StoredForm {
    switch self {
    case .bool, .integer: .integer
    case .real: .real
    case .date(let storage): storage.storedForm
    case .decimal(let storage): storage.storedForm
    case .text, .uuid(.text), .uuid(.spelled), .json, .boolText: .text
    case .storedText(let storage): storage == .blob ? .blob : .text
    case .data, .uuid(.blob): .blob
    case .any: .any
    }
  }

  /// The kind of the values that the type is read as; nil where each value has its own.
  package var kind: Scalar.Kind? {
    switch self {
    case .bool, .boolText: .bool
    case .integer: .integer
    case .real: .real
    case .text, .storedText, .json: .text
    case .data: .data
    case .uuid: .uuid
    case .date: .date
    case .decimal: .decimal
    case .any: nil
    }
  }

  /// A value that an attribute of the type can have.
  package var sample: Scalar {
    switch self {
    case .bool, .boolText: .bool(false)
    case .integer, .any: .integer(0)
    case .real: .real(0)
    // Own types that convert to numbers are read from it too.
    case .text, .storedText: .text("0")
    case .json: .text("null")
    case .data: .data(Data())
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    // Midnight by the clocks there, which a form of days can say.
    case .date(.text(let pattern)): .date(Date(timeIntervalSince1970: Double(pattern.clocks.start(ofDay: 0))))
    case .date: .date(Date(timeIntervalSince1970: 0))
    case .decimal: .decimal(0)
    }
  }

  /// The form in which a store keeps `scalar` in an attribute of this type.
  ///
  /// Integers widen to double and decimal, whole numbers too where the type is exact; nothing else is converted.
  /// - Throws: ``ValueProblem`` where the value is of another kind or does not fit.
  public func stored(_ scalar: Scalar) throws -> StoredValue {
    switch (self, scalar) {
    case (_, .null): return .null
    case (.bool, .bool(let value)): return .integer(value ? 1 : 0)
    case (.boolText(let words), .bool(let value)): return .text(words.text(value))
    case (.integer, .integer(let value)): return .integer(value)
    case (.real, .real(let value)): return try Self.real(value)
    case (.real, .integer(let value)): return .real(Double(value))
    case (.text, .text(let value)), (.json, .text(let value)): return .text(value)
    case (.storedText(let storage), .text(let value)): return try storage.stored(value)
    case (.data, .data(let value)): return .blob(value)
    case (.uuid(.blob), .uuid(let value)): return .blob(withUnsafeBytes(of: value.uuid) { Data($0) })
    case (.uuid(.text), .uuid(let value)): return .text(value.uuidString.lowercased())
    case (.uuid(.spelled(let spelling)), .uuid(let value)): return .text(spelling.text(value))
    case (.uuid, .text(let text)):
      guard let value = UUID(uuidString: text) else { throw mismatch(scalar) }
      return try stored(.uuid(value))
    case (.date(let storage), .date(let value)): return try storage.stored(value)
    case (.decimal(let storage), .decimal(let value)): return try storage.stored(value)
    case (.decimal(let storage), .integer(let value)): return try storage.stored(Decimal(value))
    case (.any, _): return try stored(untyped: scalar)
    default: throw mismatch(scalar)
    }
  }

  /// The value that a store's `stored` stands for in an attribute of this type.
  /// - Throws: ``ValueProblem`` where the stored value breaks the type's form.
  public func scalar(_ stored: StoredValue) throws -> Scalar {
    switch (self, stored) {
    case (_, .null): return .null
    case (.bool, .integer(0)): return .bool(false)
    case (.bool, .integer(1)): return .bool(true)
    case (.boolText(let words), .text(let text)):
      guard let value = words.value(text) else { throw ValueProblem("expects \(words), not \(stored.shown)") }
      return .bool(value)
    case (.integer, .integer(let value)): return .integer(value)
    case (.real, .real(let value)): return .real(value)
    case (.real, .integer(let value)): return .real(Double(value))
    case (.text, .text(let value)), (.json, .text(let value)): return .text(value)
    case (.storedText(let storage), _): return .text(try storage.text(stored))
    case (.data, .blob(let value)): return .data(value)
    case (.uuid(.blob), .blob(let value)) where value.count == 16:
      return .uuid(value.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case (.uuid(.text), .text(let text)):
      // Any other spelling of the same UUID would be read, and then not be found again.
      guard let value = UUID(uuidString: text), text == value.uuidString.lowercased() else { throw mismatch(stored) }
      return .uuid(value)
    case (.uuid(.spelled(let spelling)), .text(let text)):
      guard let value = spelling.uuid(text) else {
        throw ValueProblem("expects a UUID that is spelled \(spelling), not \(stored.shown)")
      }
      return .uuid(value)
    case (.date(let storage), _): return .date(try storage.date(stored))
    case (.decimal(let storage), _): return .decimal(try storage.decimal(stored))
    case (.any, .integer(let value)): return .integer(value)
    case (.any, .real(let value)): return .real(value)
    case (.any, .text(let value)): return .text(value)
    case (.any, .blob(let value)): return .data(value)
    default: throw mismatch(stored)
    }
  }

  /// A column without a type takes the storage class that comes closest; a value with several forms needs a type.
  private func stored(untyped scalar: Scalar) throws -> StoredValue {
    switch scalar {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .real(let value): try Self.real(value)
    case .text(let value): .text(value)
    case .data(let value): .blob(value)
    case .uuid, .date, .decimal:
      throw ValueProblem("has no declared type that says how a \(scalar.kind) is stored; pass the stored form")
    }
  }

  private static func real(_ value: Double) throws -> StoredValue {
    // SQLite would store null, silently: sqlite.org/floatingpoint.html.
    guard !value.isNaN else { throw ValueProblem("can't hold NaN") }
    return .real(value)
  }

  private func mismatch(_ value: some CustomStringConvertible) -> ValueProblem {
    ValueProblem("expects \(self), not \(value.shown)")
  }
}
