import DAOCriteria

/// Where a term stands: in a row's filter, where an aggregate is a subquery over the visible rows, or among groups.
enum TermContext {
  case row, group
}

/// A term as SQL, with what is known of its values.
struct RenderedTerm {
  var sql: SQLFragment
  var type: AttributeType
  var isNullable: Bool
  /// The value, where the term is a literal; its SQL then is a placeholder whose form is set by ``adopting(_:)``.
  var scalar: Scalar?
  var path: String

  /// The literal stored as the term's that it is compared with.
  func adopting(_ type: AttributeType) -> RenderedTerm {
    guard scalar != nil, let binding = sql.bindings.first else { return self }
    var term = self
    term.sql.bindings = [Binding(literal: binding.literal, form: .stored(type), path: binding.path)]
    term.type = type
    return term
  }

  /// The literal with another form of the value; a term that is none as it is.
  private func formed(_ form: (AttributeType) -> Binding.Form) -> RenderedTerm {
    guard scalar != nil, type.hasBounds, let binding = sql.bindings.first else { return self }
    var term = self
    term.sql.bindings = [Binding(literal: binding.literal, form: form(type), path: binding.path)]
    return term
  }

  /// The literal as what is less than it, or not, is compared with.
  var lower: RenderedTerm { formed { .lower($0) } }

  /// The literal as what is greater than it, or not, is compared with.
  var upper: RenderedTerm { formed { .upper($0) } }

  /// The literal as it is compared with another.
  var exact: RenderedTerm { formed { .exact($0) } }

  /// Whether it is a literal that may be equal to another number of stored values than one.
  var isApproximate: Bool { type.hasBounds && scalar?.isApproximate == true }

  /// The term where values are compared or ordered: decimals kept as text compare as numbers by a collation of the connection.
  var comparable: SQLFragment { type == .decimal(.text) && scalar == nil ? sql + Self.decimalOrder : sql }

  static let decimalOrder = " COLLATE dao_decimal"

  /// The term without the affinity of its column, by which SQLite would make numbers of texts, or texts of numbers, that it is compared with.
  var asItIs: RenderedTerm {
    var term = self
    term.sql = "+" + sql
    return term
  }
}

extension SQLRenderer {
  /// - Parameter other: what the term is compared with or put into, which messages about a value name.
  mutating func render(_ term: Term, in context: TermContext, beside other: Term? = nil) -> RenderedTerm {
    if case .field(let path) = term { return field(path) }
    return standing(in: .term(term)) { $0.rendered(term, in: context, beside: other) }
  }

  private mutating func rendered(_ term: Term, in context: TermContext, beside other: Term?) -> RenderedTerm {
    switch term {
    case .field(let path): return field(path)
    case .related(let aggregate, let path, let inner, let condition): return related(aggregate, path, inner, condition, in: context)
    case .value(let scalar):
      return RenderedTerm(
        sql: SQLFragment("?", [literal(.stored(.any), path: "")]), type: .any, isNullable: scalar.isNull, scalar: scalar, path: "")
    case .function(let function, let terms): return apply(function, to: terms, in: context)
    case .aggregate(let aggregate, let inner): return apply(aggregate, to: inner, in: context)
    case .search(let result, let search): return render(result, of: search)
    case .unstorable(let reason):
      report(other?.projectedName ?? "", reason)
      return unknown("")
    }
  }

  private mutating func field(_ path: FieldPath) -> RenderedTerm {
    let name = path.description
    // A name may have dots of its own.
    guard let attribute = subject.entity[name] else {
      if !path.rest.isEmpty { return relatedField(path) }
      report(CriteriaProblem(unknownAttribute: name, of: subject.entity, at: subject.path + name))
      return unknown(subject.path + name)
    }
    return RenderedTerm(
      sql: SQLFragment(subject.column(attribute)), type: attribute.type, isNullable: attribute.isOptional,
      path: subject.path + attribute.name)
  }

  /// Stands in for a term that has a problem, so that the others are found too.
  func unknown(_ path: String) -> RenderedTerm {
    RenderedTerm(sql: SQLFragment("NULL"), type: .any, isNullable: true, path: path)
  }

  /// What SQLite's functions take at most (sqlite.org/limits.html, number 6).
  private static let maximumArguments = 127

  private mutating func apply(_ function: Function, to terms: [Term], in context: TermContext) -> RenderedTerm {
    let arguments = terms.map { render($0, in: context, beside: terms.first) }
    guard let first = arguments.first, function.takesSeveral || arguments.count == 1 else {
      report("", "\(function.rawValue) takes \(function.takesSeveral ? "some terms" : "one term"), not \(arguments.count)")
      return unknown("")
    }
    // What is no text is null to a function of texts, and what is no number to one of numbers.
    func result(_ sql: SQLFragment, _ type: AttributeType) -> RenderedTerm {
      RenderedTerm(sql: sql, type: type, isNullable: true, path: first.path)
    }
    switch function {
    case .lower, .upper, .trim, .length:
      let argument = first.adopting(first.scalar == nil ? first.type : .text)
      require(argument.type.isText, argument, "\(function.rawValue) is for text")
      // SQLite's own know ASCII letters alone, end at a NUL, and take numbers and bytes for texts.
      return result("dao_\(function.rawValue)(" + argument.sql + ")", function == .length ? .integer : .text)
    case .abs:
      require(first.type.isNumber && first.type != .decimal(.text), first, "abs is for numbers, and not for decimals kept as text")
      return result("dao_abs(" + reached(first.sql, terms[0]) + ")", first.type)
    case .round:
      // A whole number is round already; SQLite would make it a double.
      if first.type == .integer { return first }
      require(first.type == .real || first.type == .any, first, "round is for doubles")
      return result("dao_round(" + first.sql + ")", .real)
    case .coalesce:
      let types = arguments.filter { $0.scalar == nil }.map(\.type)
      // Integers beside doubles are read as doubles.
      let type = types.contains(.real) ? .real : types.first ?? .any
      let parts = arguments.map { $0.adopting(type) }
      for part in parts where part.scalar == nil && !part.type.isComparable(with: type) {
        report(part.path, "coalesce can't mix \(type) and \(part.type)")
      }
      for part in parts { checkKind(part) }
      if parts.count > Self.maximumArguments {
        report(first.path, "coalesce takes at most \(Self.maximumArguments) terms, not \(parts.count)")
      }
      // SQLite's takes two terms at least.
      if parts.count == 1 { return first }
      return RenderedTerm(
        sql: "coalesce(" + parts.map(\.sql).joined(", ") + ")", type: type, isNullable: parts.allSatisfy(\.isNullable), path: first.path)
    case .jsonText, .jsonInteger, .jsonReal, .jsonBool: return json(terms, arguments, as: function.jsonType ?? .any)
    }
  }

  private mutating func apply(_ aggregate: Aggregate, to inner: Term?, in context: TermContext) -> RenderedTerm {
    // Over all rows of an entity, whichever are reached.
    var called = reaching(.any(subject)) { $0.call(aggregate, of: inner) }
    if context == .row { called.sql = visibleRows(called.sql) }
    return called
  }

  /// `MAX("price")`, of a term of the subject.
  mutating func call(_ aggregate: Aggregate, of inner: Term?) -> RenderedTerm {
    let argument = inner.map { render($0, in: .group) }
    if let inner, inner.hasAggregate { report(argument?.path ?? "", "\(aggregate.rawValue) of another aggregate has no meaning") }
    return call(aggregate, argument, of: inner)
  }

  private mutating func call(_ aggregate: Aggregate, _ argument: RenderedTerm?, of inner: Term?) -> RenderedTerm {
    let name = argument?.path ?? ""
    let call: SQLFragment
    var type: AttributeType = .integer
    var isNullable = true
    switch (aggregate, argument) {
    case (.count, let argument):
      call = SQLFragment("COUNT(") + (argument?.sql ?? SQLFragment("*")) + ")"
      isNullable = false
    case (_, nil):
      report("", "\(aggregate.rawValue) needs an attribute")
      return unknown("")
    case (.countDistinct, let argument?):
      call = "COUNT(DISTINCT " + argument.comparable + ")"
      isNullable = false
    case (.min, let argument?), (.max, let argument?):
      call = (aggregate == .min ? "MIN(" : "MAX(") + argument.comparable + ")"
      type = argument.type
    case (.sum, let argument?), (.average, let argument?):
      require(argument.type.isNumber, argument, "\(aggregate.rawValue) is for numbers, not for \(argument.type)")
      let form = form(of: argument.type, inner?.origin(in: subject.entity))
      call = "dao_\(aggregate.rawValue)(" + (inner.map { reached(argument.sql, $0) } ?? argument.sql) + form + ")"
      type = argument.type
      if aggregate == .average { if case .decimal = type { type = .decimal(.text) } else { type = .real } }
    }
    return RenderedTerm(sql: call, type: type, isNullable: isNullable, path: name)
  }

  /// `, 'INTEGER', 'item', 'price'`: what errors about a stored value of another form need to know. A column without a type has no such values.
  private func form(of type: AttributeType, _ origin: TermOrigin?) -> String {
    guard type != .any, let origin else { return "" }
    return [type.declaredName, origin.entity, origin.attribute].map { ", " + SQLLiteral.text(.text($0)) }.joined()
  }

  /// `(SELECT MAX("price") FROM "item" WHERE scope)`: the scope's literals come first in the walk, so its rendering is repeated from 0. Of a
  /// related entity all rows are visible.
  private mutating func visibleRows(_ call: SQLFragment) -> SQLFragment {
    readsOtherRows = true
    guard !subject.isRelated else {
      return ("SELECT " + call + " FROM \(subject.entity.table.quotedIdentifier) AS \(subject.name)").inParentheses
    }
    if criteria.isTooDeepWithScopeInside { report("", "the scope within an aggregate of the filter \(Condition.tooDeep)") }
    let next = nextLiteral
    let scope = lowerScope()
    nextLiteral = next
    return ("SELECT " + call + " FROM \(table)" + whereClause(scope)).inParentheses
  }

  mutating func projected(_ column: ProjectedColumn) -> RenderedTerm {
    let term = render(column.term, in: .group)
    if column.isGroup, column.term.hasAggregate { report(column.name, "an aggregate can't be grouped by") }
    return term
  }

  mutating func require(_ holds: Bool, _ term: RenderedTerm, _ message: String) {
    if !holds, term.type != .any { report(term.path, message) }
  }

  /// Reports a literal whose kind does not fit the type that it is compared with.
  mutating func checkKind(_ term: RenderedTerm) {
    guard let scalar = term.scalar, !scalar.isNull else { return }
    do { _ = try term.type.stored(scalar) } catch {
      report(term.sql.bindings.first?.path ?? "", "\(error)")
    }
  }
}

extension AttributeType {
  var isText: Bool { self == .text || self == .json || self == .any }

  var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal, .any: true
    default: false
    }
  }

  /// Whether values of both types compare by their stored forms.
  func isComparable(with other: AttributeType) -> Bool {
    switch (self, other) {
    case (.any, _), (_, .any), (.integer, .real), (.real, .integer), (.text, .json), (.json, .text): true
    default: self == other
    }
  }
}
