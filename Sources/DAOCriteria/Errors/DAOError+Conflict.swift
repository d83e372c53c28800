extension DAOError {
  /// A row that somebody else changed between a read and a write. Each side has the values by the names of the attributes.
  public struct Conflict: Error, Sendable, Hashable {
    /// The entity's name.
    public let entity: String
    /// The row's key.
    public let key: [Scalar]
    /// The row as it was read; nil where the store does not know what was read.
    public let base: [String: Scalar]?
    /// The row as it was to be written; nil where it was to be deleted.
    public let mine: [String: Scalar]?
    /// The row as it is in the store; nil where somebody has deleted it.
    public let theirs: [String: Scalar]?

    /// A conflict.
    public init(entity: String, key: [Scalar], base: [String: Scalar]?, mine: [String: Scalar]?, theirs: [String: Scalar]?) {
      self.entity = entity
      self.key = key
      self.base = base
      self.mine = mine
      self.theirs = theirs
    }

    /// The attributes that both sides have, with different values, in the order of their names.
    public var attributes: [String] {
      guard let mine, let theirs else { return [] }
      return mine.keys.filter { name in theirs[name].map { $0 != mine[name] } ?? false }.sorted()
    }
  }
}

extension DAOError.Conflict: CustomStringConvertible {
  /// The conflict in words, without values.
  public var description: String {
    let key = key.map(\.description).joined(separator: ", ")
    return switch (mine, theirs) {
    case (_, nil): "the row \(key) of \(entity) was deleted since it was read"
    case (nil, _?): "the row \(key) of \(entity), which was to be deleted, was changed since it was read"
    case (_?, _?): "the row \(key) of \(entity) was changed since it was read: \(attributes.joined(separator: ", "))"
    }
  }
}
