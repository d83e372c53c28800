extension CriteriaChecker {
  /// - Parameter other: what the term is compared with or put into, which messages about a value name.
  mutating func checked(_ term: Criteria.Term, in context: Context, beside other: Criteria.Term? = nil) -> CheckedTerm {
    if case .field(let path) = term { return field(path) }
    return standing(in: .term(term)) { $0.noDeeper($0.limits.symbols, $0.resolved(term, in: context, beside: other)) }
  }

  /// A term; one that goes deeper than an engine reads, which is reported, is unknown.
  mutating func noDeeper(_ symbols: Int, _ term: CheckedTerm) -> CheckedTerm {
    if term.depth.symbols <= symbols { return term }
    report(term.path, Criteria.Condition.tooDeep)
    return .unknown(term.path)
  }

  private mutating func resolved(_ term: Criteria.Term, in context: Context, beside other: Criteria.Term?) -> CheckedTerm {
    switch term {
    case .field(let path): return field(path)
    case .value(let scalar):
      let value = value(.scalar(scalar), .attribute(.any), "")
      return CheckedTerm(node: .value(value), type: .any, isNullable: scalar.isNull, path: "")
    case .function(let function, let terms): return call(function, terms, in: context)
    case .aggregate(let aggregate, let inner):
      var called = call(aggregate, of: inner)
      if context == .row, !subject.isRelated { called.call.scopeSymbols = scopeSymbols }
      return CheckedTerm(node: .aggregate(called.call), called)
    case .related(let aggregate, let path, let inner, let condition): return related(aggregate, path, inner, condition)
    case .search(let result, let search): return checked(result, of: search)
    case .unstorable(let reason):
      report(other?.projectedName ?? "", reason)
      return .unknown("")
    }
  }

  mutating func field(_ path: FieldPath) -> CheckedTerm {
    let name = path.description
    // A name may have dots of its own.
    guard let attribute = subject.entity[name] else {
      if !path.rest.isEmpty { return relatedField(path) }
      report(DAOError.CriteriaProblem(unknownAttribute: name, of: subject.entity, at: subject.path + name))
      return .unknown(subject.path + name)
    }
    return CheckedTerm(attribute, path: subject.path + attribute.name)
  }

  mutating func checked(_ column: Criteria.Column) -> CheckedColumn {
    let term = checked(column.term, in: .group)
    if column.isGroup, column.term.hasAggregate { report(column.name, "an aggregate can't be grouped by") }
    return CheckedColumn(column: column, term: term)
  }

  // MARK: Functions

  private mutating func call(_ function: Function, _ terms: [Criteria.Term], in context: Context) -> CheckedTerm {
    let form = function.form
    let arguments = terms.map { checked($0, in: context, beside: terms.first) }
    guard let first = arguments.first, form.subject == .json || form.termCount(among: arguments.count) != nil else {
      report("", "\(function.rawValue) takes \(form.countInWords), not \(arguments.count)")
      return .unknown("")
    }
    if form.isList, arguments.count > limits.arguments {
      let (most, count) = (limits.arguments - form.options.count, arguments.count - form.options.count)
      report(first.path, "\(function.rawValue) takes at most \(most) terms, not \(count)")
    }
    let count = form.termCount(among: arguments.count) ?? arguments.count
    let subjects = form.valueType.map { type in arguments.prefix(count).map { adopting($0, type) } } ?? Array(arguments.prefix(count))
    let options = zip(arguments.dropFirst(count), form.options).map { option($0, $1, of: function, first.path) }
    // A value that is no text is null to a function of texts, one that is no number to a function of numbers, and so on.
    func result(_ arguments: [CheckedTerm], _ type: AttributeType) -> CheckedTerm {
      // One that makes no null of nulls makes none at all.
      CheckedTerm(node: .function(function, arguments), type: form.result ?? type, isNullable: form.isNullOfNulls, path: first.path)
    }
    if form.mayFail { failing.insert(form.subject) }
    switch form.subject {
    case .text:
      for subject in subjects { require(subject.type.isText, subject, "\(function.rawValue) is for text") }
      return result(subjects + options, .text)
    case .number:
      if function == .abs {
        require(first.type.isNumber && first.type != .decimal(.text), first, "abs is for numbers, and not for decimals kept as text")
      } else {
        require(first.type.isNumber, first, "\(function.rawValue) is for numbers")
      }
      // A whole number is round already.
      if function == .round, first.type == .integer, options.isEmpty { return first }
      return result(arguments.prefix(count) + options, function.result(of: [first.type]) ?? .any)
    case .date:
      // An unknown argument has been reported already.
      let isKnown = if case .unknown = first.node { false } else { true }
      if isKnown, !subjects[0].type.isDate {
        report(first.path, "\(function.rawValue) is for dates, not for \(subjects[0].type)")
      }
      return result(subjects + options, subjects[0].type)
    case .oneType: return coalesce(arguments, first)
    case .json: return result(json(terms, arguments), .any)
    }
  }

  private mutating func coalesce(_ arguments: [CheckedTerm], _ first: CheckedTerm) -> CheckedTerm {
    let type = Function.coalesce.result(of: arguments.filter { $0.scalar == nil }.map(\.type)) ?? .any
    let parts = arguments.map { adopting($0, type) }
    for part in parts where part.scalar == nil && !part.type.isComparable(with: type) {
      report(part.path, "coalesce can't mix \(type) and \(part.type)")
    }
    if parts.count == 1 { return first }
    return CheckedTerm(node: .function(.coalesce, parts), type: type, isNullable: parts.allSatisfy(\.isNullable), path: first.path)
  }

  /// An argument that is an option of a function.
  private mutating func option(_ argument: CheckedTerm, _ option: FunctionOption, of function: Function, _ path: String) -> CheckedTerm {
    guard case .value(var value) = argument.node else {
      report(path, "\(function.rawValue) takes a value for \(option.name)")
      return argument
    }
    value.use = .option(option)
    value.path = path
    return CheckedTerm(node: .value(value), type: option.type, isNullable: false, path: path)
  }

  // MARK: Aggregates

  /// A call of an aggregate, and the known facts about its result.
  struct Called {
    var call: CheckedAggregate
    var type: AttributeType = .integer
    var isNullable = true
    let path: String
  }

  /// A call over rows of the subject.
  mutating func call(_ aggregate: Aggregate, of inner: Criteria.Term?) -> Called {
    let term = inner.map { checked($0, in: .group) }
    let path = term?.path ?? ""
    if ([inner].compactMap { $0 } + aggregate.orders.map(\.term)).contains(where: \.hasAggregate) {
      report(path, "\(aggregate.name) of another aggregate has no meaning")
    }
    let form = aggregate.form
    if let term {
      switch form.subject {
      case .anything: break
      case .text: require(term.type.isText, term, "\(aggregate.name) is for text, not for \(term.type)")
      case .number: require(term.type.isNumber, term, "\(aggregate.name) is for numbers, not for \(term.type)")
      }
    }
    // The message for a stored value of another form names its column.
    let origin = form.subject == .number ? inner?.origin(in: subject.entity) : nil
    var called = Called(call: CheckedAggregate(aggregate: aggregate, term: term, origin: origin), path: path)
    called.call.list = checkedList(aggregate, path)
    called.isNullable = form.result != .count
    if let type = form.type(of: term?.type) { called.type = type }
    if term == nil, aggregate != .count {
      report("", "\(aggregate.name) needs an attribute")
      called.type = .any
    }
    return called
  }
}

extension CriteriaChecker {
  /// How an aggregate joins texts; nil where it joins none.
  private mutating func checkedList(_ aggregate: Aggregate, _ path: String) -> CheckedTextList? {
    guard case .groupConcat(let separator, let orders) = aggregate else { return nil }
    let value = value(.scalar(.text(separator)), .attribute(.text), path)
    // An order takes two arguments.
    if 2 + 2 * orders.count > limits.arguments { report(path, "groupConcat takes at most \((limits.arguments - 2) / 2) orders") }
    return CheckedTextList(separator: value, orders: orders.map { CheckedOrder(ordering: $0, term: checked($0.term, in: .group)) })
  }
}

extension CheckedTerm {
  /// An attribute.
  init(_ attribute: Attribute, path: String) {
    self.init(node: .attribute(attribute), type: attribute.type, isNullable: attribute.isOptional, path: path)
  }

  /// The result of an aggregate.
  init(node: Node, _ called: CriteriaChecker.Called, path: String? = nil) {
    self.init(node: node, type: called.type, isNullable: called.isNullable, path: path ?? called.path)
  }

  /// Stands in for a term that has a problem, so that the others are found too.
  static func unknown(_ path: String) -> CheckedTerm { CheckedTerm(node: .unknown, type: .any, isNullable: true, path: path) }
}
