/// A to-many relationship in criteria.
///
/// ```swift
/// .where { $0.transitions.any { $0.offset > 3600 } }
/// .where(.any(\.transitions, \.offset > 3600))
/// ```
///
/// both become
///
/// ```sql
/// "id" IN (SELECT "t1"."zone_id" FROM "transition" AS "t1" WHERE "t1"."offset" > ?)
/// ```
@dynamicMemberLookup
public struct RelatedField<Target: Entity>: Sendable, Hashable {
  /// The path of relationships.
  public let path: FieldPath

  /// The relationship at the end of a path.
  public init(_ path: FieldPath) { self.path = path }

  /// At least one of the rows; false without rows.
  public func any<Root>(_ filter: (Target.Fields) -> Filter<Target> = { _ in .everything }) -> Filter<Root> {
    Filter(.some(path, filter(Target.Fields(path: .root)).condition))
  }

  /// All of the rows; true of no rows.
  public func all<Root>(_ filter: (Target.Fields) -> Filter<Target>) -> Filter<Root> {
    Filter(.not(.some(path, .not(filter(Target.Fields(path: .root)).condition))))
  }

  /// None of the rows.
  public func none<Root>(_ filter: (Target.Fields) -> Filter<Target> = { _ in .everything }) -> Filter<Root> { !any(filter) }
}

extension FieldPath {
  /// The to-many relationship of this name, reached by this path.
  public func related<Target>(_ name: String) -> RelatedField<Target> { RelatedField(appending(name)) }
}

extension Entity {
  static func related<Target>(_ path: RelatedKeyPath<Self, Target>) -> FieldPath { Fields(path: .root)[keyPath: path].path }
}

// Quantifiers.
extension Filter {
  /// At least one row of the relationship meets the filter.
  ///
  /// It becomes one of two forms with the same result. `"id" IN (SELECT "zone_id" FROM … WHERE …)` makes one list, and is fast where the
  /// filter is true of few rows: an equality, a list, a pattern. `EXISTS (SELECT 1 FROM … WHERE "zone_id" = "zone"."id" AND …)` runs a
  /// lookup for each row, and is fast where the filter is true of most (none at all, `!=`, a null check), or where the criteria find few
  /// rows by an index beside it. For a range or a flag without an index the rows decide: before each run the store reads the first and the
  /// last 50 of the related rows, by a statement of its own for the first eight quantifiers of this kind in a query, and takes EXISTS where
  /// most of both fit. `sql(for:)`, which sees no rows, shows IN; ``DAO/explain(_:)`` shows the form that the store takes.
  public static func any<T>(_ path: RelatedKeyPath<Root, T>, _ filter: Filter<T> = .everything) -> Filter {
    Filter(.some(Root.related(path), filter.condition))
  }

  /// The filter is true of all rows of the relationship, and where there is none: `"id" NOT IN (SELECT "zone_id" FROM … WHERE NOT …)`.
  public static func all<T>(_ path: RelatedKeyPath<Root, T>, _ filter: Filter<T>) -> Filter { none(path, !filter) }

  /// The filter is true of no row of the relationship: `"id" NOT IN (SELECT "zone_id" FROM … WHERE …)`, or `NOT EXISTS (…)`.
  public static func none<T>(_ path: RelatedKeyPath<Root, T>, _ filter: Filter<T> = .everything) -> Filter { !any(path, filter) }
}

// By name, for dynamic entities.
extension Filter {
  /// One row of the relationship at least, of which the filter is true.
  public static func any(_ relationship: String, _ filter: Filter<DynamicEntity> = .everything) -> Filter {
    Filter(.some(FieldPath(relationship), filter.condition))
  }

  /// The filter is true of all rows of the relationship, and where there is none.
  public static func all(_ relationship: String, _ filter: Filter<DynamicEntity>) -> Filter { none(relationship, !filter) }

  /// The filter is true of no row of the relationship.
  public static func none(_ relationship: String, _ filter: Filter<DynamicEntity> = .everything) -> Filter { !any(relationship, filter) }
}
