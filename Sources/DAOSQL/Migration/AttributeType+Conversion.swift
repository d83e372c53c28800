import DAOCriteria
import Foundation

extension AttributeType {
  /// The form in another type of a value stored as this type, if it is the same value there and converts back to the same form.
  ///
  /// A date in one form and in another, a UUID as bytes and as text, a decimal, a number and its digits are the same value. `7.5` is no
  /// integer, `007` no number, and an integer no date, since nothing says from when it counts.
  /// - Returns: nil where there is no such form.
  package func converting(_ value: StoredValue, to other: AttributeType) -> StoredValue? {
    if value.isNull { return .null }
    // A column that says nothing of its values holds each for what it is.
    if self == .any { return AttributeType(holding: value).converting(value, to: other) }
    if case (.date(let storage), .date(let otherStorage)) = (self, other), storage.isCounted, otherStorage.isCounted {
      return storage.converting(value, to: otherStorage)
    }
    guard let scalar = try? scalar(value), let same = scalar.same(as: other), let stored = try? other.stored(same),
      // A form that is less exact (milliseconds, two digits) shows here.
      let back = (try? other.scalar(stored))?.same(as: self), let restored = try? self.stored(back), isSame(restored, as: value)
    else { return nil }
    return stored
  }
}

extension AttributeType {
  /// The type as which the values of a column are converted to another: those of `NUMERIC(10,2)` are decimals of two digits to a decimal,
  /// and what they are to any other type.
  package init(ofColumn declared: String, convertedTo other: AttributeType) {
    if case .decimal = other, case .number = DeclaredMeaning(declaredName: declared),
      let digits = DeclaredMeaning.digits(declaredName: declared), 0...18 ~= digits
    {
      self = .decimal(.numeric(digits))
    } else {
      self.init(declaredName: declared)
    }
  }

  /// Whether nothing of a value is lost where another that is read as the same stands for it: 1.99 for a double that is not quite that.
  fileprivate func isSame(_ restored: StoredValue, as value: StoredValue) -> Bool {
    // A word is the same in any case.
    if case .boolText = self { return restored.compare(value, as: self) == 0 }
    guard case .decimal(let storage) = self, storage.scale != nil else { return restored == value }
    return restored.compare(value, as: self) == 0 && !storage.losesDigits(of: value)
  }
}

extension Scalar {
  /// The same value in the kind that a type has; nil where there is none.
  fileprivate func same(as type: AttributeType) -> Scalar? {
    if type == .any || type != .json && type.kind == kind { return self }
    switch (self, type) {
    case (.bool(let value), .integer): return .integer(value ? 1 : 0)
    case (.integer(let value), .bool): return value == 0 ? .bool(false) : value == 1 ? .bool(true) : nil
    case (.integer(let value), .real): return Double(exactly: value).map { .real($0) }
    case (.real(let value), .integer): return Int64(exactly: value).map { .integer($0) }
    case (.integer(let value), .decimal): return .decimal(Decimal(value))
    case (.real(let value), .decimal): return Decimal(string: "\(value)", locale: nil).map { .decimal($0) }
    case (.decimal(let value), .integer): return Int64("\(value)").map { .integer($0) }
    case (.decimal(let value), .real): return Double("\(value)").map { .real($0) }
    case (.data(let value), .uuid) where value.count == 16:
      return (try? AttributeType.uuid(.blob).scalar(.blob(value)))
    case (.uuid, .data): return (try? AttributeType.uuid(.blob).stored(self)).flatMap { try? AttributeType.data.scalar($0) }
    case (.text(let text), _): return type.value(of: text)
    case (_, .text), (_, .storedText): return text.map { .text($0) }
    default: return nil
    }
  }

  /// The text that stands for the value and for no other.
  private var text: String? {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    default: if case .text(let text)? = kind.type.flatMap({ try? $0.stored(self) }) { text } else { nil }
    }
  }
}

extension AttributeType {
  /// The plain type of a storage class.
  fileprivate init(holding value: StoredValue) {
    self =
      switch value {
      case .integer: .integer
      case .real: .real
      case .blob: .data
      case .text, .null: .text
      }
  }

  /// The value that a text stands for in this type.
  fileprivate func value(of text: String) -> Scalar? {
    switch self {
    case .integer: Int64(text).map { .integer($0) }
    case .real: Double(text).map { .real($0) }
    case .json: (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)).map { _ in .text(text) }
    case .text, .storedText, .any: .text(text)
    case .boolText, .uuid(.spelled): try? scalar(.text(text))
    default: kind?.type.flatMap { try? $0.scalar(.text(text)) }
    }
  }
}
