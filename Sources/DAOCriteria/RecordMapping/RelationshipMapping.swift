/// How records of feeds hold the rows of a relationship: `DAOImport` reads and writes them by it.
///
/// A record has an object for the other row, or the value of its identity; a list of those where there are many.
///
/// ```swift
/// .toOne("country", Country.entityDescription, by: "countryCode", mapping: ["land", "address.country"])
/// .toMany("jobs", Job.entityDescription, by: "project", mapping: RelationshipMapping(many: .replaceDeletingOrphans))
/// ```
public struct RelationshipMapping: Sendable, Hashable {
  /// The effect of an object on the other row.
  public enum Targets: Sendable, Hashable {
    /// The row that it identifies takes its values; a new row is inserted where there is none.
    case upsert
    /// The row that it identifies stays as it is. Where that is not there by the end of the feed, the import fails; if it may skip records,
    /// the record is stored without the row, or refused where the reference can't be null.
    case link
  }

  /// The effect of a list on the rows that were related before.
  public enum Many: Sendable, Hashable {
    /// They stay related. An empty list changes nothing.
    case add
    /// Those that are not in the list are no longer related: their reference becomes null, or the pair is deleted.
    case replace
    /// Those that are not in the list are deleted; paired rows are, once nothing else is paired with them.
    case replaceDeletingOrphans
  }

  /// The paths of the value, tried in this order; none stands for the relationship's name. A null counts as found.
  public var paths: [RecordPath]
  /// The effect of an object on the other row.
  public var targets: Targets
  /// The effect of a list on the rows that were related before.
  public var many: Many
  /// The effect of a record that has none of the paths.
  public var absent: ValueRule
  /// The effect of null. Where there are many, ``ValueRule/null`` relates none any more, whatever ``many`` says of lists.
  public var null: ValueRule
  /// Whether imports and exports pass over the relationship.
  public var isExcluded = false

  /// A mapping.
  /// - Parameters:
  ///   - paths: the paths of the value, tried in this order; none stands for the relationship's name.
  ///   - targets: the effect of an object on the other row.
  ///   - many: the effect of a list on the rows that were related before.
  ///   - absent: the effect of a record that has none of the paths.
  ///   - null: the effect of null.
  public init(
    _ paths: RecordPath..., targets: Targets = .upsert, many: Many = .add, absent: ValueRule = .keep, null: ValueRule = .null
  ) {
    self.init(paths: paths, targets: targets, many: many, absent: absent, null: null)
  }

  /// A mapping of the paths in a list.
  public init(
    paths: [RecordPath], targets: Targets = .upsert, many: Many = .add, absent: ValueRule = .keep, null: ValueRule = .null
  ) {
    self.paths = paths
    self.targets = targets
    self.many = many
    self.absent = absent
    self.null = null
  }

  /// Imports and exports pass over the relationship.
  public static var excluded: RelationshipMapping {
    var mapping = RelationshipMapping()
    mapping.isExcluded = true
    return mapping
  }
}

extension RelationshipMapping: ExpressibleByStringLiteral {
  /// A mapping of one path.
  public init(stringLiteral path: String) { self.init(RecordPath(stringLiteral: path)) }
}

extension RelationshipMapping: ExpressibleByArrayLiteral {
  /// A mapping of paths that are tried in this order.
  public init(arrayLiteral paths: RecordPath...) { self.init(paths: paths) }
}
