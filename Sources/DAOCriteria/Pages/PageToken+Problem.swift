extension PageToken {
  /// Why a page token can't be used.
  public enum Problem: String, Sendable, Hashable {
    /// The text is no token, or no longer the one that it was.
    case notAToken = "is not a token, or was changed"
    /// It is of another version of the library.
    case otherVersion = "is of another version"
    /// It was made for another entity, filter, scope or order, or before one of them changed.
    case otherCriteria = "does not belong to these criteria"
  }
}
