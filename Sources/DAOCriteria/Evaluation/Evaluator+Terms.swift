extension Evaluator {
  /// Returns the type of a term's values; nil for a literal, which takes the type of the term that it is compared with.
  package func type(of term: Criteria.Term) -> AttributeType? { term.type(in: entity) }

  /// A term as a function; a literal has its value as `literalType` stores it.
  package func value(_ term: Criteria.Term, as literalType: AttributeType? = nil) throws -> Value {
    switch term {
    case .field(let path):
      // A name may have dots of its own.
      if let position = entity.position(of: path.description) {
        return { [table] subject in
          guard let place = subject.place, let row = table.places[place] else { return .null }
          return row[position]
        }
      }
      let (related, way, rest) = try throughToOne(path)
      let value = try related.value(.field(rest))
      return { subject in
        guard let place = subject.place, let found = try way(place).first else { return .null }
        return try value(.row(found))
      }
    case .related(let aggregate, let path, let inner, let condition):
      let (related, way) = try way(path)
      let value = try related.aggregated(aggregate, inner)
      let test = condition.isAlwaysTrue ? nil : try related.rowTest(condition)
      return { subject in
        guard let place = subject.place else { return .null }
        let places = try way(place)
        return try value(test.map { try places.filter($0) } ?? places)
      }
    case .value(let scalar):
      let stored = try (literalType ?? .any).stored(scalar)
      return { _ in stored }
    case .search(let result, let search): return try value(result, search)
    case .unstorable(let reason): throw Self.unsupported(reason)
    case .function(let function, let terms):
      let value = try called(function, terms, type(of: term))
      if terms.contains(where: \.dependsOnRow) { return value }
      let constant = Once { try value(.group([])) }
      return { _ in try constant.value() }
    case .aggregate(let aggregate, let inner):
      let value = try aggregated(aggregate, inner)
      let ofVisible = Once { try value(visible.value()) }
      return { subject in
        switch subject {
        case .row: try ofVisible.value()
        case .group(let places): try value(places)
        }
      }
    }
  }

  /// A term as a function of a row's place, which is worked out once for each.
  func rowValue(_ term: Criteria.Term) throws -> (Int) throws -> StoredValue {
    let value = try value(term)
    if case .field(let path) = term, path.rest.isEmpty { return { try value(.row($0)) } }
    return statement.remembering(table) { try value(.row($0)) }
  }

  private func called(_ function: Function, _ terms: [Criteria.Term], _ type: AttributeType?) throws -> Value {
    let form = function.form
    switch form.subject {
    case .oneType: return try coalesce(terms, type)
    case .json: return try json(terms, as: form.result ?? .any)
    case .text, .number, .date: break
    }
    guard let first = terms.first, let count = form.termCount(among: terms.count) else {
      throw Self.unsupported("\(function.rawValue) of \(terms.count) terms")
    }
    let subjectType = self.type(of: first) ?? form.valueType ?? .any
    // An integer is round as it is.
    if function == .round, subjectType == .integer, terms.count == 1 { return try value(first) }
    let values = try terms.enumerated().map { place, term -> Value in
      let value = try value(term, as: place < count ? form.valueType : nil)
      guard form.subject == .text, let type = self.type(of: term), type.encodedText != nil else { return value }
      return { type.plain(try value($0)) }
    }
    return { [statement] subject in
      var arguments: [StoredValue] = []
      for value in values {
        let argument = try value(subject)
        try statement.spend(argument.steps)
        arguments.append(argument)
      }
      var bytes = 0
      do {
        return try function.value(of: arguments, as: subjectType) {
          bytes += $0
          try statement.spend(bytes / RunBudget.bytesPerStep)
          bytes %= RunBudget.bytesPerStep
        }
      } catch let problem as ValueProblem { throw overflow(problem.description) }
    }
  }

  private func coalesce(_ terms: [Criteria.Term], _ type: AttributeType?) throws -> Value {
    let values = try terms.map { try value($0, as: type) }
    return { [statement] subject in
      try statement.spend()
      for value in values {
        let found = try value(subject)
        if !found.isNull { return found }
      }
      return .null
    }
  }

  func overflow(_ message: String) -> DAOError { .overflow(entity: statement.root.name, message: message) }
}

extension StoredValue {
  /// How many steps it takes to read the value; see ``RunBudget``.
  var steps: Int { if case .text(let text) = self { 1 + text.utf8.count / RunBudget.bytesPerStep } else { 1 } }
}

extension Criteria.Term {
  /// Whether its value may be another for each row.
  fileprivate var dependsOnRow: Bool {
    switch self {
    case .value, .unstorable: false
    case .field, .related, .search, .aggregate: true
    case .function(_, let terms): terms.contains(where: \.dependsOnRow)
    }
  }
}
