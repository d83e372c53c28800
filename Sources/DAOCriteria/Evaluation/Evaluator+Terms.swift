extension Evaluator {
  /// What a term's values are; nil for a literal, which takes the type of what it is compared with.
  func type(of term: Term) throws -> AttributeType? {
    switch term {
    case .field(let path): return try attribute(path).type
    case .related(let aggregate, let path, let inner, _): return try target(of: path).type(of: .aggregate(aggregate, inner))
    case .value: return nil
    case .unstorable(let reason): throw ValueProblem(reason)
    case .function(let function, let terms):
      switch function {
      case .lower, .upper, .trim: return .text
      case .length: return .integer
      case .abs: return try terms.first.flatMap(type)
      case .round: return try terms.first.flatMap(type) == .integer ? .integer : .real
      case .coalesce:
        let types = try terms.compactMap(type)
        return types.contains(.real) ? .real : types.first
      }
    case .aggregate(let aggregate, let inner):
      switch aggregate {
      case .count, .countDistinct: return .integer
      case .min, .max, .sum: return try inner.flatMap(type)
      case .average: if case .decimal = try inner.flatMap(type) { return .decimal(.text) } else { return .real }
      }
    }
  }

  /// A term's value; a literal's as `literalType` stores it.
  func value(_ term: Term, as literalType: AttributeType? = nil, of subject: Subject) throws -> StoredValue {
    switch term {
    case .field(let path):
      _ = try attribute(path)
      guard let row = subject.row else { return .null }
      if let position = entity.position(of: path.description) { return row[position] }
      let (related, found) = try reached(FieldPath(path.first), from: row)
      return try found.first.map { try related.value(.field(FieldPath(path.rest.joined(separator: "."))), of: .row($0)) } ?? .null
    case .related(let aggregate, let path, let inner, let condition):
      guard let row = subject.row else { return .null }
      let (related, found) = try reached(path, from: row)
      let rows = try found.filter { try related.holds(condition, of: .row($0)) }
      return try related.value(.aggregate(aggregate, inner), of: .group(rows))
    case .value(let scalar): return try (literalType ?? .any).stored(scalar)
    case .unstorable(let reason): throw ValueProblem(reason)
    case .function(.coalesce, let terms):
      let type = try type(of: term)
      return try terms.lazy.map { try value($0, as: type, of: subject) }.first { !$0.isNull } ?? .null
    case .function(let function, let terms):
      return try apply(function, to: terms.first.map { try value($0, of: subject) } ?? .null)
    case .aggregate(let aggregate, let inner):
      let rows =
        switch subject {
        case .row: visible
        case .group(let rows): rows
        }
      guard let inner else { return .integer(Int64(rows.count)) }
      return try apply(aggregate, to: rows.map { try value(inner, of: .row($0)) }.filter { !$0.isNull }, type(of: inner) ?? .any)
    }
  }

  private func attribute(_ path: FieldPath) throws -> Attribute {
    guard let attribute = entity[path.description] else {
      if let next = path.rest.first {
        if entity.relationship(path.first)?.isToMany == true { throw unknown(path.first) }
        return try target(of: FieldPath(path.first)).attribute(path.rest.dropFirst().reduce(FieldPath(next)) { $0.appending($1) })
      }
      throw DAOError.invalidCriteria(
        entity: entity.name, problems: [CriteriaProblem(unknownAttribute: path.description, of: entity)])
    }
    return attribute
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
    default: throw ValueProblem("\(function.rawValue) of \(value) has no meaning")
    }
  }

  func overflow(_ what: String) -> DAOError { .overflow(entity: entity.name, message: "\(what) overflows") }
}

extension Evaluator.Subject {
  /// The row, or the first of the group.
  fileprivate var row: StoredRow? {
    switch self {
    case .row(let row): row
    case .group(let rows): rows.first
    }
  }
}
