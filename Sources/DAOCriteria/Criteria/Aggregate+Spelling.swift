// How aggregates are written: by key paths, of functions, by name and in closures, over rows and over those of a relationship.

// In a filter, over the entity's visible rows; in a report, in `having` and in an order of groups, over the group.
extension TypedTerm {
  /// The smallest value: `MIN("price")`; nil over no rows.
  public static func min<V>(_ path: FieldKeyPath<Root, V>) -> Self where Value == V.Unwrapped? { min(Operand<Root, V>(path)) }
  /// The smallest result of a function: `MIN(dao_round("price"))`; nil over no rows.
  public static func min<V>(_ operand: Operand<Root, V>) -> Self where Value == V.Unwrapped? { Self(.aggregate(.min, operand.term)) }
  /// The largest value: `MAX("price")`; nil over no rows.
  public static func max<V>(_ path: FieldKeyPath<Root, V>) -> Self where Value == V.Unwrapped? { max(Operand<Root, V>(path)) }
  /// The largest result of a function: `MAX(dao_round("price"))`; nil over no rows.
  public static func max<V>(_ operand: Operand<Root, V>) -> Self where Value == V.Unwrapped? { Self(.aggregate(.max, operand.term)) }
  /// The sum: `dao_sum("price")`; nil over no rows, an error where it overflows.
  public static func sum<V>(_ path: FieldKeyPath<Root, V>) -> Self where Value == V.Unwrapped? { sum(Operand<Root, V>(path)) }
  /// The sum of a function's results: `dao_sum(dao_round("price"))`; nil over no rows, an error where it overflows.
  public static func sum<V>(_ operand: Operand<Root, V>) -> Self where Value == V.Unwrapped? { Self(.aggregate(.sum, operand.term)) }
  /// The mean: `dao_average("price")`; nil over no rows.
  public static func average<V>(_ path: FieldKeyPath<Root, V>) -> Self where Value == V.Unwrapped.Mean? { average(Operand<Root, V>(path)) }
  /// The mean of a function's results: `dao_average(dao_length("name"))`; nil over no rows.
  public static func average<V>(_ operand: Operand<Root, V>) -> Self where Value == V.Unwrapped.Mean? {
    Self(.aggregate(.average, operand.term))
  }
  /// The texts that are not null, one behind the other with a separator between them, in some orders; equal ones in them, and all where
  /// there are none, by their bytes: `dao_groupConcat("name", ?, "rank", 'ASC NULLS FIRST INTEGER')`. Nil over no rows.
  public static func groupConcat<V>(_ path: FieldKeyPath<Root, V>, separator: String = ", ", order: Order<Root>...) -> Self
  where Value == String? { Self(.aggregate(.groupConcat(separator, order), Root.term(path))) }
  /// The same of a function's results: `dao_groupConcat(dao_upper("name"), ?, "rank", 'ASC NULLS FIRST INTEGER')`.
  public static func groupConcat<V>(_ operand: Operand<Root, V>, separator: String = ", ", order: Order<Root>...) -> Self
  where Value == String? { Self(.aggregate(.groupConcat(separator, order), operand.term)) }
  /// How many rows have a value: `COUNT("comment")`.
  public static func count<V>(_ path: FieldKeyPath<Root, V>) -> Self where Value == Int { count(Operand<Root, V>(path)) }
  /// Of how many rows a function's result is not null: `COUNT(dao_year("soldAt", 'DATETIME_TEXT', ?))`.
  public static func count<V>(_ operand: Operand<Root, V>) -> Self where Value == Int { Self(.aggregate(.count, operand.term)) }
  /// How many different values: `COUNT(DISTINCT "comment")`.
  public static func count<V>(distinct path: FieldKeyPath<Root, V>) -> Self where Value == Int { count(distinct: Operand<Root, V>(path)) }
  /// How many different results of a function: `COUNT(DISTINCT dao_lower("comment"))`.
  public static func count<V>(distinct operand: Operand<Root, V>) -> Self where Value == Int {
    Self(.aggregate(.countDistinct, operand.term))
  }
}

extension TypedTerm where Value == Int {
  /// How many rows: `COUNT(*)`.
  public static var count: Self { Self(.aggregate(.count, nil)) }
}

// By name, for dynamic entities. Of a function by `.max(.length(.field("name")))`.
extension TypedTerm where Value == Scalar {
  /// An aggregate of the attribute of this name: `.aggregate(.max, "standardOffset")`.
  public static func aggregate(_ aggregate: Aggregate, _ name: String) -> Self { Self(.aggregate(aggregate, .field(FieldPath(name)))) }
}

extension Aggregate {
  fileprivate static func groupConcat<Root>(_ separator: String, _ orders: [Order<Root>]) -> Aggregate {
    .groupConcat(separator: separator, order: orders.map(\.ordering))
  }
}

// The same for closures: `{ $0.price.max() }`.
extension Field {
  /// The smallest value: `MIN("price")`.
  public func min() -> Field<Value.Unwrapped?> { Field<Value.Unwrapped?>(.aggregate(.min, term)) }
  /// The largest value: `MAX("price")`.
  public func max() -> Field<Value.Unwrapped?> { Field<Value.Unwrapped?>(.aggregate(.max, term)) }
  /// The sum: `dao_sum("price")`; nil over no rows, an error where it overflows.
  public func sum() -> Field<Value.Unwrapped?> { Field<Value.Unwrapped?>(.aggregate(.sum, term)) }
  /// The mean: `dao_average("price")`; nil over no rows.
  public func average() -> Field<Value.Unwrapped.Mean?> { Field<Value.Unwrapped.Mean?>(.aggregate(.average, term)) }
  /// The texts that are not null, one behind the other with a separator between them, in some orders; equal ones in them, and all where
  /// there are none, by their bytes: `{ $0.name.groupConcat(order: $0.rank.descending(), $0.id.ascending()) }`, which is
  /// `dao_groupConcat("name", ?, "rank", 'DESC NULLS LAST INTEGER', "id", 'ASC NULLS FIRST INTEGER')`. Nil over no rows.
  public func groupConcat(separator: String = ", ", order: Criteria.Ordering...) -> Field<String?> {
    Field<String?>(.aggregate(.groupConcat(separator: separator, order: order), term))
  }
  /// How many rows have a value: `COUNT("comment")`.
  public func count() -> Field<Int> { Field<Int>(.aggregate(.count, term)) }
  /// How many different values: `COUNT(DISTINCT "comment")`.
  public func countDistinct() -> Field<Int> { Field<Int>(.aggregate(.countDistinct, term)) }
}

// Aggregates of a relationship's rows, one value for each row here.
extension TypedTerm {
  /// How many rows of the relationship the filter is true of: `(SELECT COUNT(*) FROM … WHERE "zone_id" = "zone"."id" AND …)`.
  public static func count<T>(_ path: RelatedKeyPath<Root, T>, where filter: Filter<T> = .everything) -> Self where Value == Int {
    Self(.related(.count, Root.related(path), nil, filter.condition))
  }

  /// The sum of an attribute over the relationship's rows; nil over no rows: `(SELECT dao_sum("x") FROM … WHERE …)`.
  public static func sum<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped? { Self(.related(.sum, Root.related(path), T.term(attribute), filter.condition)) }

  /// The sum of a function's results over the relationship's rows; nil over no rows: `(SELECT dao_sum(dao_round("x")) FROM … WHERE …)`.
  public static func sum<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ operand: Operand<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped? { Self(.related(.sum, Root.related(path), operand.term, filter.condition)) }

  /// The smallest value of an attribute over the relationship's rows; nil over no rows.
  public static func min<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped? { Self(.related(.min, Root.related(path), T.term(attribute), filter.condition)) }

  /// The smallest result of a function over the relationship's rows; nil over no rows.
  public static func min<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ operand: Operand<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped? { Self(.related(.min, Root.related(path), operand.term, filter.condition)) }

  /// The largest value of an attribute over the relationship's rows; nil over no rows.
  public static func max<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped? { Self(.related(.max, Root.related(path), T.term(attribute), filter.condition)) }

  /// The largest result of a function over the relationship's rows; nil over no rows.
  public static func max<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ operand: Operand<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped? { Self(.related(.max, Root.related(path), operand.term, filter.condition)) }

  /// The mean of an attribute over the relationship's rows; nil over no rows.
  public static func average<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped.Mean? { Self(.related(.average, Root.related(path), T.term(attribute), filter.condition)) }

  /// The mean of a function's results over the relationship's rows; nil over no rows.
  public static func average<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ operand: Operand<T, V>, where filter: Filter<T> = .everything
  ) -> Self where Value == V.Unwrapped.Mean? { Self(.related(.average, Root.related(path), operand.term, filter.condition)) }

  /// The texts of an attribute over the relationship's rows, one behind the other in some orders; nil over no rows:
  /// `(SELECT dao_groupConcat("name", ?, "rank", 'ASC NULLS FIRST INTEGER') FROM … WHERE …)`.
  public static func groupConcat<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, separator: String = ", ", order: Order<T>...,
    where filter: Filter<T> = .everything
  ) -> Self where Value == String? {
    Self(.related(.groupConcat(separator, order), Root.related(path), T.term(attribute), filter.condition))
  }

  /// The same of a function's results: `(SELECT dao_groupConcat(dao_upper("name"), ?) FROM … WHERE …)`.
  public static func groupConcat<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ operand: Operand<T, V>, separator: String = ", ", order: Order<T>...,
    where filter: Filter<T> = .everything
  ) -> Self where Value == String? {
    Self(.related(.groupConcat(separator, order), Root.related(path), operand.term, filter.condition))
  }
}

extension TypedTerm where Value == Scalar {
  /// An aggregate over the rows of the relationship of this name, of their attribute of this name or of the rows themselves:
  /// `.aggregate(.count, over: "transitions")`, `.aggregate(.max, over: "transitions", "offset")`.
  public static func aggregate(
    _ aggregate: Aggregate, over relationship: String, _ name: String? = nil, where filter: Filter<DynamicEntity> = .everything
  ) -> Self {
    Self(.related(aggregate, FieldPath(relationship), name.map { .field(FieldPath($0)) }, filter.condition))
  }
}

// The same for closures: `{ $0.transitions.max(\.offset) > 3600 }`. An attribute is a key path or a closure.
extension RelatedField {
  /// How many rows the filter is true of: `{ $0.transitions.count { $0.offset > 0 } >= 3 }`.
  public func count(where filter: (Target.Fields) -> Filter<Target> = { _ in .everything }) -> Field<Int> {
    Field<Int>(.related(.count, path, nil, filter(Target.Fields(path: .root)).condition))
  }

  /// The sum of an attribute; nil over no rows: `(SELECT dao_sum("x") FROM … WHERE …)`.
  public func sum<V>(
    _ attribute: (Target.Fields) -> Field<V>, where filter: (Target.Fields) -> Filter<Target> = { _ in .everything }
  ) -> Field<V.Unwrapped?> { aggregate(.sum, attribute, filter) }

  /// The smallest value of an attribute; nil over no rows.
  public func min<V>(
    _ attribute: (Target.Fields) -> Field<V>, where filter: (Target.Fields) -> Filter<Target> = { _ in .everything }
  ) -> Field<V.Unwrapped?> { aggregate(.min, attribute, filter) }

  /// The largest value of an attribute; nil over no rows.
  public func max<V>(
    _ attribute: (Target.Fields) -> Field<V>, where filter: (Target.Fields) -> Filter<Target> = { _ in .everything }
  ) -> Field<V.Unwrapped?> { aggregate(.max, attribute, filter) }

  /// The mean of an attribute; nil over no rows.
  public func average<V>(
    _ attribute: (Target.Fields) -> Field<V>, where filter: (Target.Fields) -> Filter<Target> = { _ in .everything }
  ) -> Field<V.Unwrapped.Mean?> { aggregate(.average, attribute, filter) }

  /// The texts of an attribute that are not null, one behind the other with a separator between them, in some orders; equal ones in them,
  /// and all where there are none, by their bytes; nil over no rows: `{ $0.zones.groupConcat(\.name, order: .ascending(\.rank)) }`.
  public func groupConcat<V>(
    _ attribute: (Target.Fields) -> Field<V>, separator: String = ", ", order: Order<Target>...,
    where filter: (Target.Fields) -> Filter<Target> = { _ in .everything }
  ) -> Field<String?> { aggregate(.groupConcat(separator, order), attribute, filter) }

  private func aggregate<V, Value>(
    _ aggregate: Aggregate, _ attribute: (Target.Fields) -> Field<V>, _ filter: (Target.Fields) -> Filter<Target>
  ) -> Field<Value> {
    let fields = Target.Fields(path: .root)
    return Field<Value>(.related(aggregate, path, attribute(fields).term, filter(fields).condition))
  }
}
