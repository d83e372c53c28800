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
  var isApproximate: Bool { scalar.map(type.isApproximate) ?? false }

  /// The term where values are ordered: decimals kept as text, dates with an offset, and texts of a column with a collation, by a
  /// collation, and numbers that are read as decimals by a function.
  var ordered: SQLFragment { scalar == nil ? type.ordered(sql) : sql }

  /// Whether its values are numbers that are read as decimals.
  var isRounded: Bool { if case .rounded = type.order { true } else { false } }

  /// The term beside bounds, which are the ends of the numbers that are read as one decimal.
  var bounded: SQLFragment { isRounded ? sql : ordered }

  /// The term where values are compared for equality: by their collation where several spell one value.
  var comparable: SQLFragment { type.isEqualByOrder ? ordered : sql }

  /// A date in seconds since 2001, as which it is read from several stored values; a value that is no date is in no list of them.
  var secondsSinceReference: SQLFragment {
    if type == .date(.unixSeconds) {
      return "coalesce(dao_number(\(sql)) - \(text: "\(UnixSeconds.from1970To2001)"), \(sql))"
    }
    return "dao_date(\(sql), '\(text: type.declaredName)')"
  }

  /// The term where functions see it as the text that is read.
  var plain: SQLFragment { type.encodedText == nil ? sql : "dao_text(\(sql), '\(text: type.declaredName)')" }

  /// The term without the affinity of its column, by which SQLite would make numbers of texts, or texts of numbers, that it is compared
  /// with.
  var asItIs: RenderedTerm {
    var term = self
    term.sql = "+\(sql)"
    return term
  }
}

extension AttributeType {
  /// SQL of a term of this type where values are ordered.
  func ordered(_ sql: SQLFragment) -> SQLFragment {
    switch order {
    case .decimal: "\(sql) COLLATE dao_decimal"
    case .instant: "\(sql) COLLATE dao_instant"
    case .nocase: "\(sql) COLLATE NOCASE"
    case .rtrim: "\(sql) COLLATE RTRIM"
    case .rounded(let digits): "dao_rounded(\(sql), \(text: "\(digits)"))"
    case nil: sql
    }
  }

  /// Two stored values as they compare where those are equal that are read as one.
  func asRead(_ a: SQLFragment, _ b: SQLFragment) -> (SQLFragment, SQLFragment) {
    if case .rounded = order { return (ordered(a), ordered(b)) }
    guard case .date(let storage) = self, storage.hasBounds else { return (ordered(a), b) }
    return ("dao_date(\(a), '\(text: declaredName)')", "dao_date(\(b), '\(text: declaredName)')")
  }

  /// `CASE WHEN "at" COLLATE dao_instant = ? THEN "at" ELSE ? END`: what an update writes into a column.
  func keepingSpelling(of column: SQLFragment, for value: SQLFragment) -> SQLFragment {
    guard keepsSpelling else { return value }
    let (before, after) = asRead(column, value)
    return "CASE WHEN \(before) = \(after) THEN \(column) ELSE \(value) END"
  }

  /// Whether several stored values may be read as one value of a list.
  func isApproximate(in list: ListShape) -> Bool {
    switch self {
    case .date(.unixSeconds): list.hasEarlyDate
    case .date(let storage): storage.hasBounds && (storage.isAlwaysApproximate || list.hasFarDate)
    default: false
    }
  }
}
