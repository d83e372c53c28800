/// Evaluates criteria straight from their documentation: a condition becomes a function that is true or false for a row or a group of rows.
///
/// It is made once for a statement: a value that does not depend on the row is computed once, and a value that depends on a related row
/// once for that row, however many rows lead to it.
package struct Evaluator {
  /// The subject of an evaluated condition or term. Rows are named by their indexes in the table. Rows are named by their places in the
  /// table.
  package enum Subject {
    /// A row; an aggregate speaks of all visible rows.
    case row(Int)
    /// A group; an aggregate speaks of its rows.
    case group([Int])

    /// The row's place, or that of the first of the group.
    var place: Int? {
      switch self {
      case .row(let place): place
      case .group(let places): places.first
      }
    }
  }

  /// A condition as a function.
  package typealias Test = (Subject) throws -> Bool
  /// A term as a function.
  package typealias Value = (Subject) throws -> StoredValue

  let entity: EntityDescription
  let table: EvaluatedTable
  let statement: EvaluatedStatement
  /// The places of the rows that an aggregate in a filter speaks of.
  private(set) var visible: Once<[Int]>

  /// Evaluates criteria of an entity where a scope limits the visible rows.
  package init(_ entity: EntityDescription, scope: Criteria.Condition = .constant(true), in statement: EvaluatedStatement) throws {
    let table = try statement.tables(entity)
    self.entity = entity
    self.table = table
    self.statement = statement
    let all = Once { table.occupied }
    visible = all
    if scope.isAlwaysTrue { return }
    let isSeen = try test(scope)
    visible = Once { try all.value().filter { try isSeen(.row($0)) } }
  }

  /// A condition as a function.
  package func test(_ condition: Criteria.Condition) throws -> Test {
    let test = try untracked(condition)
    return { [statement] subject in
      try statement.spend()
      return try test(subject)
    }
  }

  private func untracked(_ condition: Criteria.Condition) throws -> Test {
    switch condition.node {
    case .constant(let value): return { _ in value }
    case .all(let parts):
      let tests = try parts.map(test)
      return { subject in try tests.allSatisfy { try $0(subject) } }
    case .any(let parts):
      let tests = try parts.map(test)
      return { subject in try tests.contains { try $0(subject) } }
    case .not(let inner):
      let test = try test(inner)
      return { try !test($0) }
    case .isNull(let term):
      let value = try value(term)
      return { try value($0).isNull }
    case .compare(let left, let comparison, let right):
      return try compare(left, comparison, right, as: type(of: left) ?? type(of: right) ?? .any)
    case .between(let term, let lower, let upper):
      // A value between two others is stored as the first attribute among them, and as each of them where both have a type.
      let first = type(of: term) ?? type(of: lower) ?? type(of: upper) ?? .any
      func beside(_ bound: Criteria.Term) -> AttributeType {
        guard type(of: term) == nil, first != .any, let own = type(of: bound), own != .any else { return first }
        return own
      }
      let isFromLower = try compare(term, .greaterOrEqual, lower, as: beside(lower))
      let isToUpper = try compare(term, .lessOrEqual, upper, as: beside(upper))
      return { subject in
        let (isFromLower, isToUpper) = (try isFromLower(subject), try isToUpper(subject))
        return isFromLower && isToUpper
      }
    case .among(let term, let values):
      if values.isEmpty { return { _ in false } }
      let type = type(of: term) ?? .any
      let identities = Set(try values.map { Self.instant(try type.compared($0), type).identity(as: type) })
      let value = try value(term)
      return { identities.contains(Self.instant(try value($0), type).identity(as: type)) }
    case .matches(let term, let match, let pattern, let caseSensitive):
      guard case .text(let pattern) = pattern else { throw Self.unsupported("\(match.rawValue) expects text, not \(pattern.shown)") }
      let fitting = TextPattern(match, pattern, caseSensitive: caseSensitive)
      let (value, type) = (try value(term), type(of: term) ?? .any)
      return { [statement] subject in
        guard case .text(var text) = type.plain(try value(subject)) else { return false }
        try statement.spend(fitting.steps(bytes: text.utf8.count))
        return text.withUTF8 { fitting.fits($0) }
      }
    case .search(let search): return try test(search)
    case .some(let path, let inner):
      let isReached = try some(path, inner)
      return { subject in try subject.place.map(isReached) ?? false }
    case .tooDeep: throw Self.unsupported("the filter is nested too deep")
    }
  }

  /// A condition as a function of a row's place, which is worked out once for each.
  func rowTest(_ condition: Criteria.Condition) throws -> (Int) throws -> Bool {
    let test = try test(condition)
    return statement.remembering(table) { try test(.row($0)) }
  }

  /// A comparison of two terms, whose literals are stored like the term that they are compared with.
  private func compare(_ left: Criteria.Term, _ comparison: Criteria.Comparison, _ right: Criteria.Term, as type: AttributeType) throws
    -> Test
  {
    let ordered = [type, self.type(of: left), self.type(of: right)].lazy.compactMap { $0 }.first { $0.order != nil } ?? type
    let isEquality = comparison == .equal || comparison == .notEqual
    let isRounded = if case .rounded = ordered.order { true } else { false }
    let (leftType, rightType) = (self.type(of: left) ?? .any, self.type(of: right) ?? .any)
    // Texts with one spelling are equal by their bytes, and numbers are rounded each by its own form.
    let order = isRounded || isEquality && !ordered.isEqualByOrder && ordered.order != nil ? .any : ordered
    let (literals, range) = try (literals(left, right), range(left, right, as: type))
    let (left, right) = (try comparand(left, as: type), try comparand(right, as: type))
    return { subject in
      var (a, b) = (try left(subject), try right(subject))
      if literals == 2 { (a, b) = (Self.instant(a, type), Self.instant(b, type)) }
      if isRounded { (a, b) = (a.identity(as: leftType), b.identity(as: rightType)) }
      if a.isNull || b.isNull {
        return switch comparison {
        case .equal: a.isNull && b.isNull
        case .notEqual: a.isNull != b.isNull
        case .less, .lessOrEqual, .greater, .greaterOrEqual: false
        }
      }
      let place =
        range.map { range in
          let value = range.isRight ? a : b
          let found = value.compare(range.lower, as: order) < 0 ? -1 : value.compare(range.upper, as: order) > 0 ? 1 : 0
          return range.isRight ? found : -found
        } ?? a.compare(b, as: order)
      return switch comparison {
      case .equal: place == 0
      case .notEqual: place != 0
      case .less: place < 0
      case .lessOrEqual: place <= 0
      case .greater: place > 0
      case .greaterOrEqual: place >= 0
      }
    }
  }

  /// How many of two terms are literals.
  private func literals(_ terms: Criteria.Term...) -> Int {
    terms.count { if case .value = $0 { true } else { false } }
  }

  /// The stored values that a date stands for, where one of two terms is such a literal.
  private func range(
    _ left: Criteria.Term, _ right: Criteria.Term, as type: AttributeType
  ) throws -> (lower: StoredValue, upper: StoredValue, isRight: Bool)? {
    guard case .date = type, type.hasBounds, literals(left, right) == 1 else { return nil }
    for (term, isRight) in [(left, false), (right, true)] {
      guard case .value(let scalar) = term, !scalar.isNull else { continue }
      let bounds = try type.bounds(of: scalar)
      return (bounds.lower, bounds.upper, isRight)
    }
    return nil
  }

  /// A term whose values are compared with others of a type.
  private func comparand(_ term: Criteria.Term, as type: AttributeType) throws -> Value {
    guard case .value(let scalar) = term else { return try value(term, as: type) }
    let value = try type.compared(scalar)
    return { _ in value }
  }

  /// A literal date stands for all stored values that are read as it.
  private static func instant(_ value: StoredValue, _ type: AttributeType) -> StoredValue {
    if case .date(let storage) = type, storage.hasBounds { storage.secondsSinceReference(value) } else { value }
  }

  static func unsupported(_ what: String) -> DAOError { .unsupported("the evaluator can't answer: \(what)") }
}

extension AttributeType {
  /// A literal as it is compared: an integer beside doubles is the number that it is.
  fileprivate func compared(_ scalar: Scalar) throws -> StoredValue {
    if self == .real, case .integer(let value) = scalar { .integer(value) } else { try stored(scalar) }
  }
}
