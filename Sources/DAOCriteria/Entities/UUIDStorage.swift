extension AttributeType {
  /// How a UUID is kept.
  public enum UUIDStorage: Sendable, Hashable {
    /// 16 bytes; the default.
    case blob
    /// 36 characters in lower case.
    case text
    /// A text that is spelled otherwise: in capitals, without hyphens, in braces.
    case spelled(UUIDSpelling)
  }
}
