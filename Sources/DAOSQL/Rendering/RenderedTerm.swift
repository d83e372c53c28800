import DAOCriteria

/// A term as SQL, with the known facts about its values.
struct RenderedTerm {
  var sql: SQLFragment
  let type: AttributeType
  var isNullable: Bool
  /// The value, where the term is one; its SQL is a placeholder.
  let scalar: Scalar?
  /// How messages and columns name it.
  let path: String

  init(_ sql: SQLFragment, _ term: CheckedTerm) {
    self.sql = sql
    type = term.type
    isNullable = term.isNullable
    scalar = term.scalar
    path = term.path
  }

  /// The value in another form; a term that is none as it is.
  private func formed(_ form: (AttributeType) -> Binding.Form) -> RenderedTerm {
    guard scalar != nil, type.hasBounds, case .value(let binding)? = sql.segments.first else { return self }
    var term = self
    term.sql = "\(value: Binding(number: binding.number, form: form(type), path: binding.path))"
    return term
  }

  /// The value in the form for comparisons with smaller values.
  var lower: RenderedTerm { formed { .lower($0) } }

  /// The value in the form for comparisons with greater values.
  var upper: RenderedTerm { formed { .upper($0) } }

  /// The value as it is compared with another.
  var exact: RenderedTerm { formed { .exact($0) } }

  /// Whether it is a value that may be equal to another number of stored values than one.
  var isApproximate: Bool { type.hasBounds && scalar?.isApproximate == true }

  /// The term where values are compared or ordered: decimals kept as text compare as numbers by a collation of the connection.
  var comparable: SQLFragment { type == .decimal(.text) && scalar == nil ? "\(sql)\(text: Self.decimalOrder)" : sql }

  static let decimalOrder = " COLLATE dao_decimal"

  /// The term without the affinity of its column, by which SQLite would make numbers of texts, or texts of numbers, that it is compared
  /// with.
  var asItIs: RenderedTerm {
    var term = self
    term.sql = "+\(sql)"
    return term
  }
}
