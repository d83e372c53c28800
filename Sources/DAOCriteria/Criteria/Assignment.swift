/// A new value for an attribute of every row that an update finds.
///
/// ```swift
/// try zones.update(.where(\.name == "Europe/Kiev"), set: .set(\.name, to: "Europe/Kyiv"))
/// // UPDATE "zone" SET "name" = ? WHERE "name" = ?
/// ```
public struct Assignment<Root: Entity>: Sendable, Hashable {
  /// The assignment as a plain value.
  public let change: Criteria.Change

  /// An assignment.
  public init(_ change: Criteria.Change) { self.change = change }

  /// The attribute takes the value; nil empties it.
  public static func set<V>(_ path: FieldKeyPath<Root, V>, to value: V) -> Assignment {
    Assignment(Criteria.Change(Root.term(path), Criteria.Term(value)))
  }

  /// The attribute takes the value of another: `.set(\.name, to: \.comment)` is `"name" = "comment"`.
  public static func set<V, W>(_ path: FieldKeyPath<Root, V>, to other: FieldKeyPath<Root, W>) -> Assignment
  where V.Unwrapped == W.Unwrapped {
    Assignment(Criteria.Change(Root.term(path), Root.term(other)))
  }

  /// The attribute takes the value of a function.
  public static func set<V, W>(_ path: FieldKeyPath<Root, V>, to operand: Operand<Root, W>) -> Assignment
  where V.Unwrapped == W.Unwrapped {
    Assignment(Criteria.Change(Root.term(path), operand.term))
  }

  /// The attribute of this name takes the value.
  public static func set(_ name: String, to value: Scalar) -> Assignment {
    Assignment(Criteria.Change(.field(FieldPath(name)), .value(value)))
  }

  /// The attribute of this name takes the value of another attribute or of a function: `.set("name", to: .lower(.field("name")))`.
  public static func set(_ name: String, to operand: Operand<Root, Scalar>) -> Assignment {
    Assignment(Criteria.Change(.field(FieldPath(name)), operand.term))
  }
}
