/// What criteria mean, straight from their documentation: a condition is true or false of a row or a group of rows.
struct Evaluator {
  /// What a condition or term is evaluated over.
  enum Subject {
    /// A row; an aggregate speaks of all visible rows.
    case row(StoredRow)
    /// A group; an aggregate speaks of its rows.
    case group([StoredRow])
  }

  let entity: EntityDescription
  /// The rows that an aggregate in a filter speaks of.
  let visible: [StoredRow]
  /// All rows of an entity, for relationships.
  let rows: (EntityDescription) -> [StoredRow]

  func holds(_ condition: Condition, of subject: Subject) throws -> Bool {
    switch condition.node {
    case .constant(let value): return value
    case .all(let parts): return try parts.allSatisfy { try holds($0, of: subject) }
    case .any(let parts): return try parts.contains { try holds($0, of: subject) }
    case .not(let inner): return try !holds(inner, of: subject)
    case .isNull(let term): return try value(term, of: subject).isNull
    case .compare(let left, let comparison, let right):
      let (a, b, order) = try compare(left, right, of: subject)
      return switch (order, comparison) {
      case (let order?, .equal): order == 0
      case (let order?, .notEqual): order != 0
      case (let order?, .less): order < 0
      case (let order?, .lessOrEqual): order <= 0
      case (let order?, .greater): order > 0
      case (let order?, .greaterOrEqual): order >= 0
      case (nil, .equal): a.isNull && b.isNull
      case (nil, .notEqual): a.isNull != b.isNull
      case (nil, _): false
      }
    case .between(let term, let lower, let upper):
      let type = try type(of: term) ?? type(of: lower) ?? type(of: upper)
      let fromLower = try compare(term, lower, as: type, of: subject).order
      let toUpper = try compare(term, upper, as: type, of: subject).order
      return fromLower.map { $0 >= 0 } ?? false && toUpper.map { $0 <= 0 } ?? false
    case .among(let term, let values):
      if values.isEmpty { return false }
      let type = try type(of: term) ?? .any
      let value = try value(term, of: subject)
      return try values.contains { try value.compare(type.stored($0), as: type) == 0 }
    case .matches(let term, let match, let pattern, let caseSensitive):
      guard case .text(let pattern) = pattern else { throw ValueProblem("expects text as the pattern") }
      guard case .text(let text) = try value(term, of: subject) else { return false }
      return match.fits(text, pattern, caseSensitive: caseSensitive)
    case .some(let path, let inner):
      guard case .row(let row) = subject else { throw ValueProblem("can't go through relationships") }
      let (related, found) = try reached(path, from: row)
      return try found.contains { try related.holds(inner, of: .row($0)) }
    case .tooDeep: throw ValueProblem("is nested too deep")
    }
  }

  /// Two terms' values and their order, which is nil where one of them is null. Literals are stored as what they are compared with.
  private func compare(
    _ left: Term, _ right: Term, as literals: AttributeType? = nil, of subject: Subject
  ) throws -> (StoredValue, StoredValue, order: Int?) {
    let type = try literals ?? type(of: left) ?? type(of: right) ?? .any
    let (a, b) = (try value(left, as: type, of: subject), try value(right, as: type, of: subject))
    return (a, b, a.isNull || b.isNull ? nil : a.compare(b, as: type))
  }
}
