/// The answer of a hook that is called before a record, an attribute or a relationship is imported. To refuse the record it throws.
public enum ImportDecision: Sendable, Hashable {
  /// It is imported.
  case proceed
  /// It is passed over. A record that is skipped leaves no row; an attribute and a relationship stay as they are.
  case skip
}
