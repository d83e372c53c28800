// How aggregates are written: in reports, by key paths and in closures, over rows and over those of a relationship.

extension Projection {
  /// The smallest value: `MIN("price")`; nil over no rows.
  public static func min<V>(_ path: FieldKeyPath<Root, V>) -> Projection where Value == V.Unwrapped? {
    Projection(.aggregate(.min, Root.term(path)))
  }
  /// The largest value: `MAX("price")`; nil over no rows.
  public static func max<V>(_ path: FieldKeyPath<Root, V>) -> Projection where Value == V.Unwrapped? {
    Projection(.aggregate(.max, Root.term(path)))
  }
  /// The sum: `dao_sum("price")`; nil over no rows, an error where it overflows.
  public static func sum<V>(_ path: FieldKeyPath<Root, V>) -> Projection where Value == V.Unwrapped? {
    Projection(.aggregate(.sum, Root.term(path)))
  }
  /// The mean: `dao_average("price")`; nil over no rows.
  public static func average<V>(_ path: FieldKeyPath<Root, V>) -> Projection where Value == V.Unwrapped.Mean? {
    Projection(.aggregate(.average, Root.term(path)))
  }
  /// How many rows have a value: `COUNT("comment")`.
  public static func count<V>(_ path: FieldKeyPath<Root, V>) -> Projection where Value == Int {
    Projection(.aggregate(.count, Root.term(path)))
  }
  /// How many different values: `COUNT(DISTINCT "comment")`.
  public static func count<V>(distinct path: FieldKeyPath<Root, V>) -> Projection where Value == Int {
    Projection(.aggregate(.countDistinct, Root.term(path)))
  }
}

extension Projection where Value == Int {
  /// How many rows: `COUNT(*)`.
  public static var count: Projection { Projection(.aggregate(.count, nil)) }
}

// Aggregates: in a filter, over the entity's visible rows; in a projection or `having`, over the group.
extension Operand {
  /// The smallest value: `MIN("price")`.
  public static func min<V>(_ path: FieldKeyPath<Root, V>) -> Operand where Value == V.Unwrapped? { aggregate(.min, path) }
  /// The largest value: `MAX("price")`.
  public static func max<V>(_ path: FieldKeyPath<Root, V>) -> Operand where Value == V.Unwrapped? { aggregate(.max, path) }
  /// The sum: `dao_sum("price")`; nil over no rows, an error where it overflows.
  public static func sum<V>(_ path: FieldKeyPath<Root, V>) -> Operand where Value == V.Unwrapped? { aggregate(.sum, path) }
  /// The mean of integers and doubles: `dao_average("price")`; nil over no rows.
  public static func average<V>(_ path: FieldKeyPath<Root, V>) -> Operand where Value == V.Unwrapped.Mean? { aggregate(.average, path) }
  /// The texts that are not null, one behind the other with a separator between them, in some orders; equal ones in them, and all where
  /// there are none, by their bytes: `dao_groupConcat("name", ?, "rank", 'ASC NULLS FIRST INTEGER')`. Nil over no rows.
  public static func groupConcat<V>(
    _ path: FieldKeyPath<Root, V>, separator: String = ", ", order: Order<Root>...
  ) -> Operand where Value == String? {
    aggregate(.groupConcat(separator: separator, order: order.map(\.ordering)), path)
  }
  /// How many rows have a value: `COUNT("comment")`.
  public static func count<V>(_ path: FieldKeyPath<Root, V>) -> Operand where Value == Int { aggregate(.count, path) }
  /// How many different values: `COUNT(DISTINCT "comment")`.
  public static func count<V>(distinct path: FieldKeyPath<Root, V>) -> Operand where Value == Int { aggregate(.countDistinct, path) }

  private static func aggregate<V>(_ aggregate: Aggregate, _ path: FieldKeyPath<Root, V>) -> Operand {
    Operand(.aggregate(aggregate, Root.term(path)))
  }
}

extension Operand where Value == Int {
  /// How many rows: `COUNT(*)`.
  public static var count: Operand { Operand(.aggregate(.count, nil)) }
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
  /// The texts that are not null, one behind the other with a separator between them, in the order of another field; equal ones in it by
  /// their bytes: `dao_groupConcat("name", ?, "rank", 'ASC NULLS FIRST INTEGER')`. Nil over no rows.
  public func groupConcat<Key>(
    separator: String = ", ", by key: Field<Key>, _ direction: Criteria.Ordering.Direction = .ascending
  ) -> Field<String?> {
    Field<String?>(.aggregate(.groupConcat(separator: separator, order: [Criteria.Ordering(key.term, direction)]), term))
  }
  /// The texts that are not null, one behind the other with a separator between them, in the order of their bytes:
  /// `dao_groupConcat("name", ?)`. Nil over no rows.
  public func groupConcat(separator: String = ", ") -> Field<String?> {
    Field<String?>(.aggregate(.groupConcat(separator: separator), term))
  }
  /// How many rows have a value: `COUNT("comment")`.
  public func count() -> Field<Int> { Field<Int>(.aggregate(.count, term)) }
  /// How many different values: `COUNT(DISTINCT "comment")`.
  public func countDistinct() -> Field<Int> { Field<Int>(.aggregate(.countDistinct, term)) }
}

// Aggregates of a relationship's rows, one value for each row here.
extension Operand {
  /// How many rows of the relationship the filter is true of: `(SELECT COUNT(*) FROM … WHERE "zone_id" = "zone"."id" AND …)`.
  public static func count<T>(_ path: RelatedKeyPath<Root, T>, where filter: Filter<T> = .everything) -> Operand where Value == Int {
    Operand(.related(.count, Root.related(path), nil, filter.condition))
  }

  /// The sum of an attribute over the relationship's rows; nil over no rows: `(SELECT dao_sum("x") FROM … WHERE …)`.
  public static func sum<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Operand where Value == V.Unwrapped? { related(.sum, path, attribute, filter) }

  /// The smallest value of an attribute over the relationship's rows; nil over no rows.
  public static func min<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Operand where Value == V.Unwrapped? { related(.min, path, attribute, filter) }

  /// The largest value of an attribute over the relationship's rows; nil over no rows.
  public static func max<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Operand where Value == V.Unwrapped? { related(.max, path, attribute, filter) }

  /// The mean of an attribute over the relationship's rows; nil over no rows.
  public static func average<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, where filter: Filter<T> = .everything
  ) -> Operand where Value == V.Unwrapped.Mean? { related(.average, path, attribute, filter) }

  /// The texts of an attribute over the relationship's rows, one behind the other in some orders; nil over no rows:
  /// `(SELECT dao_groupConcat("name", ?, "rank", 'ASC NULLS FIRST INTEGER') FROM … WHERE …)`.
  public static func groupConcat<T, V>(
    _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, separator: String = ", ", order: Order<T>...,
    where filter: Filter<T> = .everything
  ) -> Operand where Value == String? {
    related(.groupConcat(separator: separator, order: order.map(\.ordering)), path, attribute, filter)
  }

  private static func related<T, V>(
    _ aggregate: Aggregate, _ path: RelatedKeyPath<Root, T>, _ attribute: FieldKeyPath<T, V>, _ filter: Filter<T>
  ) -> Operand { Operand(.related(aggregate, Root.related(path), T.term(attribute), filter.condition)) }
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
  ) -> Field<String?> { aggregate(.groupConcat(separator: separator, order: order.map(\.ordering)), attribute, filter) }

  private func aggregate<V, Value>(
    _ aggregate: Aggregate, _ attribute: (Target.Fields) -> Field<V>, _ filter: (Target.Fields) -> Filter<Target>
  ) -> Field<Value> {
    let fields = Target.Fields(path: .root)
    return Field<Value>(.related(aggregate, path, attribute(fields).term, filter(fields).condition))
  }
}
