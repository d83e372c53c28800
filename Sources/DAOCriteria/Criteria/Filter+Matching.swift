// Ranges, lists, null and text, each for attributes by key path, for functions and named attributes, and for fields in closures.

extension Filter {
  /// Between the two, both included: `"x" BETWEEN ? AND ?`. nil is an error.
  @inlinable public static func between<V>(_ path: FieldKeyPath<Root, V>, _ lower: V.Unwrapped?, _ upper: V.Unwrapped?) -> Filter {
    Filter(.between(Root.term(path), Criteria.Term(lower), Criteria.Term(upper)))
  }

  /// Between the two, both included: `"x" BETWEEN ? AND ?`. nil is an error.
  @inlinable public static func between<V>(_ operand: Operand<Root, V>, _ lower: V.Unwrapped?, _ upper: V.Unwrapped?) -> Filter {
    Filter(.between(operand.term, Criteria.Term(lower), Criteria.Term(upper)))
  }

  /// Between the two, both included: `"x" BETWEEN ? AND ?`. nil is an error.
  @inlinable public static func between<V>(_ field: Field<V>, _ lower: V.Unwrapped?, _ upper: V.Unwrapped?) -> Filter {
    Filter(.between(field.term, Criteria.Term(lower), Criteria.Term(upper)))
  }

  /// Within the range, both ends included: `"x" BETWEEN ? AND ?`.
  @inlinable public static func between<V>(_ path: FieldKeyPath<Root, V>, _ range: ClosedRange<V.Unwrapped>) -> Filter {
    Filter(.between(Root.term(path), Criteria.Term(range.lowerBound), Criteria.Term(range.upperBound)))
  }

  /// Within the range, both ends included: `"x" BETWEEN ? AND ?`.
  @inlinable public static func between<V>(_ operand: Operand<Root, V>, _ range: ClosedRange<V.Unwrapped>) -> Filter {
    Filter(.between(operand.term, Criteria.Term(range.lowerBound), Criteria.Term(range.upperBound)))
  }

  /// Within the range, both ends included: `"x" BETWEEN ? AND ?`.
  @inlinable public static func between<V>(_ field: Field<V>, _ range: ClosedRange<V.Unwrapped>) -> Filter {
    Filter(.between(field.term, Criteria.Term(range.lowerBound), Criteria.Term(range.upperBound)))
  }

  /// One of the values: `"x" IN (…)`. Of none, no row; nil among them stands for null rows.
  @inlinable public static func `in`<V>(_ path: FieldKeyPath<Root, V>, _ values: some Sequence<V.Unwrapped>) -> Filter {
    among(Root.term(path), values)
  }

  /// One of the values: `"x" IN (…)`. Of none, no row; nil among them stands for null rows.
  @_disfavoredOverload
  @inlinable public static func `in`<V>(_ path: FieldKeyPath<Root, V>, _ values: some Sequence<V.Unwrapped?>) -> Filter {
    among(Root.term(path), values)
  }

  /// One of the values: `"x" IN (…)`. Of none, no row; nil among them stands for null rows.
  @inlinable public static func `in`<V>(_ operand: Operand<Root, V>, _ values: some Sequence<V.Unwrapped>) -> Filter {
    among(operand.term, values)
  }

  /// One of the values: `"x" IN (…)`. Of none, no row; nil among them stands for null rows.
  @_disfavoredOverload
  @inlinable public static func `in`<V>(_ operand: Operand<Root, V>, _ values: some Sequence<V.Unwrapped?>) -> Filter {
    among(operand.term, values)
  }

  /// One of the values: `"x" IN (…)`. Of none, no row; nil among them stands for null rows.
  @inlinable public static func `in`<V>(_ field: Field<V>, _ values: some Sequence<V.Unwrapped>) -> Filter {
    among(field.term, values)
  }

  /// One of the values: `"x" IN (…)`. Of none, no row; nil among them stands for null rows.
  @_disfavoredOverload
  @inlinable public static func `in`<V>(_ field: Field<V>, _ values: some Sequence<V.Unwrapped?>) -> Filter {
    among(field.term, values)
  }

  /// None of the values, null rows included: `"x" NOT IN (…) OR "x" IS NULL`. Of none, every row.
  @inlinable public static func notIn<V>(_ path: FieldKeyPath<Root, V>, _ values: some Sequence<V.Unwrapped>) -> Filter {
    !among(Root.term(path), values)
  }

  /// None of the values, null rows included: `"x" NOT IN (…) OR "x" IS NULL`. Of none, every row.
  @_disfavoredOverload
  @inlinable public static func notIn<V>(_ path: FieldKeyPath<Root, V>, _ values: some Sequence<V.Unwrapped?>) -> Filter {
    !among(Root.term(path), values)
  }

  /// None of the values, null rows included: `"x" NOT IN (…) OR "x" IS NULL`. Of none, every row.
  @inlinable public static func notIn<V>(_ operand: Operand<Root, V>, _ values: some Sequence<V.Unwrapped>) -> Filter {
    !among(operand.term, values)
  }

  /// None of the values, null rows included: `"x" NOT IN (…) OR "x" IS NULL`. Of none, every row.
  @_disfavoredOverload
  @inlinable public static func notIn<V>(_ operand: Operand<Root, V>, _ values: some Sequence<V.Unwrapped?>) -> Filter {
    !among(operand.term, values)
  }

  /// None of the values, null rows included: `"x" NOT IN (…) OR "x" IS NULL`. Of none, every row.
  @inlinable public static func notIn<V>(_ field: Field<V>, _ values: some Sequence<V.Unwrapped>) -> Filter {
    !among(field.term, values)
  }

  /// None of the values, null rows included: `"x" NOT IN (…) OR "x" IS NULL`. Of none, every row.
  @_disfavoredOverload
  @inlinable public static func notIn<V>(_ field: Field<V>, _ values: some Sequence<V.Unwrapped?>) -> Filter {
    !among(field.term, values)
  }

  /// Without a value: `"x" IS NULL`.
  @inlinable public static func isNull<V>(_ path: FieldKeyPath<Root, V>) -> Filter {
    Filter(.isNull(Root.term(path)))
  }

  /// Without a value: `"x" IS NULL`.
  @inlinable public static func isNull<V>(_ operand: Operand<Root, V>) -> Filter {
    Filter(.isNull(operand.term))
  }

  /// Without a value: `"x" IS NULL`.
  @inlinable public static func isNull<V>(_ field: Field<V>) -> Filter {
    Filter(.isNull(field.term))
  }

  /// With a value: `"x" IS NOT NULL`.
  @inlinable public static func isNotNull<V>(_ path: FieldKeyPath<Root, V>) -> Filter {
    Filter(.not(.isNull(Root.term(path))))
  }

  /// With a value: `"x" IS NOT NULL`.
  @inlinable public static func isNotNull<V>(_ operand: Operand<Root, V>) -> Filter {
    Filter(.not(.isNull(operand.term)))
  }

  /// With a value: `"x" IS NOT NULL`.
  @inlinable public static func isNotNull<V>(_ field: Field<V>) -> Filter {
    Filter(.not(.isNull(field.term)))
  }

  /// The whole text fits the pattern, where `*` stands for any characters, `?` for one, and a backslash takes the next one literally:
  /// `dao_like("x", ?)`, or `dao_ilike("x", ?)` without regard to case (see ``CaseFolding``). nil is an error.
  ///
  /// `?` is one Unicode scalar; without regard to case one of the folded text too, in which `ß` is two: `Stra?e` and `Stra??e` fit `Straße`
  /// then.
  @inlinable public static func like<V>(_ path: FieldKeyPath<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(Root.term(path), .like, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The whole text fits the pattern, where `*` stands for any characters, `?` for one, and a backslash takes the next one literally:
  /// `dao_like("x", ?)`, or `dao_ilike("x", ?)` without regard to case (see ``CaseFolding``). nil is an error.
  ///
  /// `?` is one Unicode scalar; without regard to case one of the folded text too, in which `ß` is two: `Stra?e` and `Stra??e` fit `Straße`
  /// then.
  @inlinable public static func like<V>(_ operand: Operand<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(operand.term, .like, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The whole text fits the pattern, where `*` stands for any characters, `?` for one, and a backslash takes the next one literally:
  /// `dao_like("x", ?)`, or `dao_ilike("x", ?)` without regard to case (see ``CaseFolding``). nil is an error.
  ///
  /// `?` is one Unicode scalar; without regard to case one of the folded text too, in which `ß` is two: `Stra?e` and `Stra??e` fit `Straße`
  /// then.
  @inlinable public static func like<V>(_ field: Field<V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(field.term, .like, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text has the pattern somewhere, literally: `dao_contains("x", ?)`, or `dao_icontains("x", ?)` without
  /// regard to case (see ``CaseFolding``). nil is an error.
  @inlinable public static func contains<V>(_ path: FieldKeyPath<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(Root.term(path), .contains, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text has the pattern somewhere, literally: `dao_contains("x", ?)`, or `dao_icontains("x", ?)` without
  /// regard to case (see ``CaseFolding``). nil is an error.
  @inlinable public static func contains<V>(_ operand: Operand<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(operand.term, .contains, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text has the pattern somewhere, literally: `dao_contains("x", ?)`, or `dao_icontains("x", ?)` without
  /// regard to case (see ``CaseFolding``). nil is an error.
  @inlinable public static func contains<V>(_ field: Field<V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(field.term, .contains, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text begins with the pattern, literally: `"x" >= ? AND "x" < ?`, or `dao_ibeginsWith("x", ?)` without regard to case
  /// (see ``CaseFolding``). nil is an error.
  @inlinable public static func beginsWith<V>(_ path: FieldKeyPath<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(Root.term(path), .beginsWith, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text begins with the pattern, literally: `"x" >= ? AND "x" < ?`, or `dao_ibeginsWith("x", ?)` without regard to case
  /// (see ``CaseFolding``). nil is an error.
  @inlinable public static func beginsWith<V>(_ operand: Operand<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(operand.term, .beginsWith, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text begins with the pattern, literally: `"x" >= ? AND "x" < ?`, or `dao_ibeginsWith("x", ?)` without regard to case
  /// (see ``CaseFolding``). nil is an error.
  @inlinable public static func beginsWith<V>(_ field: Field<V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(field.term, .beginsWith, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text ends with the pattern, literally: `dao_endsWith("x", ?)`, or `dao_iendsWith("x", ?)` without regard to
  /// case (see ``CaseFolding``). nil is an error.
  @inlinable public static func endsWith<V>(_ path: FieldKeyPath<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(Root.term(path), .endsWith, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text ends with the pattern, literally: `dao_endsWith("x", ?)`, or `dao_iendsWith("x", ?)` without regard to
  /// case (see ``CaseFolding``). nil is an error.
  @inlinable public static func endsWith<V>(_ operand: Operand<Root, V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(operand.term, .endsWith, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  /// The text ends with the pattern, literally: `dao_endsWith("x", ?)`, or `dao_iendsWith("x", ?)` without regard to
  /// case (see ``CaseFolding``). nil is an error.
  @inlinable public static func endsWith<V>(_ field: Field<V>, _ pattern: String?, caseSensitive: Bool = true) -> Filter {
    Filter(.matches(field.term, .endsWith, pattern.map(Scalar.text) ?? .null, caseSensitive: caseSensitive))
  }

  @inlinable static func among(_ term: Criteria.Term, _ values: some Sequence<some AttributeValue>) -> Filter {
    var scalars: [Scalar] = []
    for value in values {
      do { scalars.append(try value.scalar) } catch { return Filter(.compare(term, .equal, .unstorable("\(error)"))) }
    }
    return Filter(.among(term, scalars))
  }
}
