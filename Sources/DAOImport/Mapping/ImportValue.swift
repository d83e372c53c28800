import DAOCriteria
import DAORecords
import Foundation

/// A value of a record, as the feed has it.
///
/// ```swift
/// value["name.last"]?.text            // {"name": {"last": "Novák"}}
/// value["tags"]?.items.count          // {"tags": ["a", "b"]}
/// ```
public enum ImportValue: Sendable, Hashable {
  /// Null, or an empty cell of CSV.
  case null
  /// True or false.
  case bool(Bool)
  /// A number, by its digits.
  case number(String)
  /// A text, or a cell of CSV.
  case text(String)
  /// Values one after the other.
  case list([ImportValue])
  /// Values by their names.
  case object([String: ImportValue])

  /// The text; the digits of a number; nil for any other value.
  public var text: String? {
    switch self {
    case .text(let text), .number(let text): text
    default: nil
    }
  }

  /// The integer that a number or a text says by its digits alone: of `42`, not of `42.0`; nil where it says none.
  public var integer: Int64? { text.flatMap { Int64($0) } }

  /// The double that a number or a text says; nil where it says none.
  public var real: Double? { text.flatMap { Double(digits: $0) } }

  /// True or false; nil for any other value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The bytes that a text says in Base64; nil where it says none.
  public var data: Data? { if case .text(let text) = self { Data(base64Encoded: text) } else { nil } }

  /// Whether it is null.
  public var isNull: Bool { self == .null }

  /// The values of a list; none for any other value.
  public var items: [ImportValue] { if case .list(let items) = self { items } else { [] } }

  /// The value at the end of a path; nil where it leads nowhere.
  public subscript(path: RecordPath) -> ImportValue? {
    var value: ImportValue? = self
    for name in path.names {
      switch value {
      case .object(let members): value = members[name]
      case .list(let items): value = Int(name).flatMap { items.indices.contains($0) ? items[$0] : nil }
      default: return nil
      }
    }
    return value
  }
}

extension ImportValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A number.
  public init(integerLiteral number: Int) { self = .number("\(number)") }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}

extension ImportValue: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { node.json }
}

extension ImportValue {
  /// A value of a record. Of equal names the first counts.
  init(_ value: Int = 0, of record: Record) {
    self.init(record.node(of: value))
  }

  private init(_ node: JSONNode) {
    switch node {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let digits): self = .number(digits)
    case .text(let text): self = .text(text)
    case .list(let items): self = .list(items.map { ImportValue($0) })
    case .object(let members):
      self = .object(Dictionary(members.map { ($0.name, ImportValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The value as a tree of JSON.
  var node: JSONNode {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let digits): .number(digits)
    case .text(let text): .text(text)
    case .list(let items): .list(items.map(\.node))
    case .object(let members): .object(members.map { JSONNode.Member(name: $0.key, value: $0.value.node) })
    }
  }
}
