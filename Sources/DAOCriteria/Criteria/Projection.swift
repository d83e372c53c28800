/// One column of a report: an attribute, a function of one, an aggregate, or an attribute to group by.
///
/// ```swift
/// zones.project(.group(by: \.comment), .max(\.standardOffset), .count)
/// // SELECT "comment", MAX("standardOffset"), COUNT(*) FROM "zone" GROUP BY "comment"      -> [(String?, Int?, Int)]
/// ```
public struct Projection<Root: Entity, Value: AttributeValue>: TypedTerm, Sendable, Hashable {
  /// The projection as a plain value.
  public let column: Criteria.Column

  /// A projection.
  public init(_ column: Criteria.Column) { self.column = column }

  /// A projection of a term, under the term's own name.
  public init(_ term: Criteria.Term) { self.init(Criteria.Column(term)) }

  /// A column for an operand, as for one that is kept in a constant: `.function(.lower(\.name))` is `.lower(\.name)`.
  public static func function(_ operand: Operand<Root, Value>) -> Projection { Projection(operand.term) }
  /// The attribute, with one row for each of its values: `"name" … GROUP BY "name"`.
  public static func group(by path: FieldKeyPath<Root, Value>) -> Projection {
    Projection(Criteria.Column(Root.term(path), isGroup: true))
  }
  /// A function or named attribute, with one row for each of its values.
  public static func group(by operand: Operand<Root, Value>) -> Projection {
    Projection(Criteria.Column(operand.term, isGroup: true))
  }

  /// The same column under a name of its own, for dictionaries and `Decodable` rows.
  public func named(_ name: String) -> Projection { Projection(column.named(name)) }
}

// Attributes by name.
extension Projection where Value == Scalar {
  /// The attribute of this name, with one row for each of its values.
  public static func group(by name: String) -> Projection { group(by: .field(name)) }
}

extension Criteria.Term {
  /// The name that a report gives to a term: `standardOffset`, `max:standardOffset`, `count`.
  public var projectedName: String {
    switch self {
    case .field(let path): path.description
    case .value(let value): value.description
    case .function(let function, let terms) where function.jsonType != nil:
      "\(function.rawValue):" + terms.map { JSONStep($0)?.description ?? $0.projectedName }.joined(separator: ".")
    case .function(let function, let terms): "\(function.rawValue):\(terms.first?.projectedName ?? "")"
    case .aggregate(let aggregate, let term): term.map { "\(aggregate.name):\($0.projectedName)" } ?? aggregate.name
    case .related(let aggregate, let path, let term, _):
      "\(aggregate.name):\(term.map { "\(path).\($0.projectedName)" } ?? "\(path)")"
    case .search(let result, _): result.path.map { "\(result.name):\($0)" } ?? result.name
    case .unstorable: "unstorable"
    }
  }

  /// Whether an aggregate is part of it.
  public var hasAggregate: Bool {
    switch self {
    case .field, .value, .related, .search, .unstorable: false
    case .function(_, let terms): terms.contains(where: \.hasAggregate)
    case .aggregate: true
    }
  }
}
