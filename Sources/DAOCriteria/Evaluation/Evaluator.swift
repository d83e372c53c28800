/// What criteria mean, straight from their documentation: a condition becomes a function that is true or false of a row or a group of rows.
///
/// It is made once for a query, so that whatever does not depend on the row is found out once.
package struct Evaluator {
  /// What a condition or term is evaluated over.
  package enum Subject {
    /// A row; an aggregate speaks of all visible rows.
    case row(StoredRow)
    /// A group; an aggregate speaks of its rows.
    case group([StoredRow])

    /// The row, or the first of the group.
    var row: StoredRow? {
      switch self {
      case .row(let row): row
      case .group(let rows): rows.first
      }
    }
  }

  /// A condition as a function.
  package typealias Test = (Subject) throws -> Bool
  /// A term as a function.
  package typealias Value = (Subject) throws -> StoredValue
  /// Where the rows of entities are.
  package typealias Tables = (EntityDescription) throws -> EvaluatedTable

  let entity: EntityDescription
  let table: EvaluatedTable
  let tables: Tables
  /// The entity that the criteria is of, which errors name.
  let root: EntityDescription
  /// The rows that an aggregate in a filter speaks of.
  private(set) var visible: Once<[StoredRow]>

  /// What criteria of an entity mean where a scope lets only some rows be seen.
  package init(
    _ entity: EntityDescription, scope: Condition = .constant(true), tables: @escaping Tables, askedOf root: EntityDescription? = nil
  ) throws {
    let table = try tables(entity)
    self.entity = entity
    self.root = root ?? entity
    self.table = table
    self.tables = tables
    let all = Once { table.places.compactMap { $0 } }
    visible = all
    if scope.isAlwaysTrue { return }
    let isSeen = try test(scope)
    visible = Once { try all.value().filter { try isSeen(.row($0)) } }
  }

  /// A condition as a function.
  package func test(_ condition: Condition) throws -> Test {
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
      let other = type(of: lower) ?? type(of: upper) ?? .any
      let isFromLower = try compare(term, .greaterOrEqual, lower, as: type(of: term) ?? other)
      let isToUpper = try compare(term, .lessOrEqual, upper, as: type(of: term) ?? type(of: upper) ?? other)
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
      let value = try value(term)
      return { subject in
        guard case .text(var text) = try value(subject) else { return false }
        return text.withUTF8 { fitting.fits($0) }
      }
    case .search(let search): return try test(search)
    case .some(let path, let inner):
      let (related, way) = try way(path)
      let test = try related.test(inner)
      return { subject in
        guard let row = subject.row else { return false }
        return try way(row).contains { try test(.row($0)) }
      }
    case .tooDeep: throw Self.unsupported("the filter is nested too deep")
    }
  }

  /// A comparison of two terms, whose literals are stored as what they are compared with.
  private func compare(_ left: Term, _ comparison: Comparison, _ right: Term, as type: AttributeType) throws -> Test {
    let isDecimal = [type, self.type(of: left), self.type(of: right)].contains(.decimal(.text))
    let order: AttributeType = isDecimal ? .decimal(.text) : type
    let isWithLiteral = [left, right].contains { if case .value = $0 { true } else { false } }
    let (left, right) = (try comparand(left, as: type), try comparand(right, as: type))
    return { subject in
      var (a, b) = (try left(subject), try right(subject))
      if isWithLiteral { (a, b) = (Self.instant(a, type), Self.instant(b, type)) }
      if a.isNull || b.isNull {
        return switch comparison {
        case .equal: a.isNull && b.isNull
        case .notEqual: a.isNull != b.isNull
        case .less, .lessOrEqual, .greater, .greaterOrEqual: false
        }
      }
      let order = a.compare(b, as: order)
      return switch comparison {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }
  }

  /// A term whose values are compared with others of a type.
  private func comparand(_ term: Term, as type: AttributeType) throws -> Value {
    guard case .value(let scalar) = term else { return try value(term, as: type) }
    let value = try type.compared(scalar)
    return { _ in value }
  }

  /// A literal date stands for all stored values that are read as it.
  private static func instant(_ value: StoredValue, _ type: AttributeType) -> StoredValue {
    type == .date(.unixSeconds) ? value.secondsSinceReference : value
  }

  static func unsupported(_ what: String) -> DAOError { .unsupported("the evaluator can't answer: \(what)") }
}

extension AttributeType {
  /// A literal as it is compared: an integer beside doubles is the number that it is.
  fileprivate func compared(_ scalar: Scalar) throws -> StoredValue {
    if self == .real, case .integer(let value) = scalar { .integer(value) } else { try stored(scalar) }
  }
}

/// A value that is made when it is first asked for.
final class Once<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) { self.make = make }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
