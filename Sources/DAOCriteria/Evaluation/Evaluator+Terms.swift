extension Evaluator {
  /// What a term's values are; nil for a literal, which takes the type of what it is compared with.
  package func type(of term: Term) -> AttributeType? { term.type(in: entity) }

  /// A term as a function; a literal has its value as `literalType` stores it.
  package func value(_ term: Term, as literalType: AttributeType? = nil) throws -> Value {
    switch term {
    case .field(let path):
      // A name may have dots of its own.
      if let position = entity.position(of: path.description) { return { $0.row?[position] ?? .null } }
      let (related, way, rest) = try throughToOne(path)
      let value = try related.value(.field(rest))
      return { subject in
        guard let row = subject.row, let found = way(row).first else { return .null }
        return try value(.row(found))
      }
    case .related(let aggregate, let path, let inner, let condition):
      let (related, way) = try way(path)
      let test = try related.test(condition)
      let value = try related.aggregated(aggregate, inner)
      return { subject in
        guard let row = subject.row else { return .null }
        return try value(try way(row).filter { try test(.row($0)) })
      }
    case .value(let scalar):
      let stored = try (literalType ?? .any).stored(scalar)
      return { _ in stored }
    case .search(let result, let search): return try value(result, search)
    case .unstorable(let reason): throw Self.unsupported(reason)
    case .function(.coalesce, let terms):
      let type = type(of: term)
      let values = try terms.map { try value($0, as: type) }
      return { subject in
        for value in values {
          let found = try value(subject)
          if !found.isNull { return found }
        }
        return .null
      }
    case .function(let function, let terms):
      if let type = function.jsonType { return try json(terms, as: type) }
      guard let first = terms.first else { throw Self.unsupported("\(function.rawValue) of nothing") }
      let value = try value(first)
      // An integer is round as it is.
      if function == .round, type(of: first) == .integer { return value }
      return { try apply(function, to: value($0)) }
    case .aggregate(let aggregate, let inner):
      let value = try aggregated(aggregate, inner)
      let ofVisible = Once { try value(visible.value()) }
      return { subject in
        switch subject {
        case .row: try ofVisible.value()
        case .group(let rows): try value(rows)
        }
      }
    }
  }

  private func apply(_ function: Function, to value: StoredValue) throws -> StoredValue {
    switch (function, value) {
    case (_, .null): return .null
    case (.lower, .text(let text)): return .text(text.lowercased())
    case (.upper, .text(let text)): return .text(text.uppercased())
    case (.length, .text(let text)): return .integer(Int64(text.unicodeScalars.count))
    case (.trim, .text(let text)):
      let rest = text.unicodeScalars.drop { $0 == " " }
      return .text(String(rest.reversed().drop { $0 == " " }.reversed().reduce(into: String.UnicodeScalarView()) { $0.append($1) }))
    case (.abs, .integer(let number)):
      guard number != .min else { throw overflow("abs(\(number))") }
      return .integer(Swift.abs(number))
    case (.abs, .real(let number)): return .real(number.magnitude)
    case (.round, .integer): return value
    case (.round, .real(let number)): return .real(number.rounded(.toNearestOrAwayFromZero))
    // In a column without a type: what is no text, or no number, is null to a function of such.
    default: return .null
    }
  }

  func overflow(_ what: String) -> DAOError { .overflow(entity: root.name, message: "\(what) overflows") }
}
