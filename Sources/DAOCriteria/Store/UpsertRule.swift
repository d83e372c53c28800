/// The rule by which an entity counts as existing, and the attributes that are then updated.
public struct UpsertRule: Sendable, Hashable {
  /// The attributes of the unique constraint that decides; nil for the primary key.
  public let target: [String]?
  /// The attributes that take the new values; nil for all that are not in the target or the key.
  public let updating: [String]?

  /// A rule.
  public init(target: [String]? = nil, updating: [String]? = nil) {
    self.target = target
    self.updating = updating
  }
}
