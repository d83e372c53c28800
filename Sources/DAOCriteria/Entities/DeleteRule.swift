/// The action on a row when the row it points to is deleted.
public enum DeleteRule: String, Sendable, Hashable {
  /// The delete fails while a row points to it: `ON DELETE NO ACTION`.
  case deny = "NO ACTION"
  /// The row is deleted too: `ON DELETE CASCADE`.
  case cascade = "CASCADE"
  /// The attribute becomes null: `ON DELETE SET NULL`.
  case nullify = "SET NULL"
}
