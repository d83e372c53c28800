extension AttributeType {
  /// How a UUID is kept.
  public enum UUIDStorage: Sendable, Hashable {
    /// 16 bytes; the default.
    case blob
    /// 36 characters in lower case.
    case text
  }
}
