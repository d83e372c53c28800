/// The keys of one entity's rows that a commit changed.
///
/// Keep it in a constant: each access to a change set reads the keys again. They are in the order in which the rows were changed first. No
/// key is in two of the lists.
public struct EntityChanges<E: Entity>: Sendable {
  /// The keys of new rows.
  public let inserted: [E.PrimaryKey]
  /// The keys of rows that were there before the commit and still are. A row that was written with the values that it had may be among
  /// them, unless the feed notes attributes.
  public let updated: [E.PrimaryKey]
  /// The keys of deleted rows.
  public let deleted: [E.PrimaryKey]
  /// The names of the attributes that changed in each row of ``updated``, in its order; nil where the feed was not asked for attributes.
  ///
  /// An attribute that had several values within the commit is named even where the last is the first. So is one that SQLite computes (a
  /// virtual generated column) whenever another attribute of its row changed.
  public let updatedAttributes: [Set<String>]?
  /// Whether other rows of the entity may have changed: read what you show again.
  public let needsReload: Bool

  /// Whether no row of the entity changed.
  public var isEmpty: Bool { !needsReload && inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  private init(
    inserted: [E.PrimaryKey] = [], updated: [E.PrimaryKey] = [], deleted: [E.PrimaryKey] = [], _ updatedAttributes: [Set<String>]? = nil,
    needsReload: Bool
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.updatedAttributes = updatedAttributes
    self.needsReload = needsReload
  }

  init(needsReload: Bool) { self.init(inserted: [], needsReload: needsReload) }

  init(_ rows: ChangedRows) {
    func read(_ keys: ChangedKeys) -> [E.PrimaryKey]? { keys.read(as: E.PrimaryKey.self, of: rows.entity) }
    guard let inserted = read(rows.inserted), let updated = read(rows.updated), let deleted = read(rows.deleted) else {
      // A key that the type can't hold: a query for its row has the error that says so.
      self.init(needsReload: true)
      return
    }
    self.init(
      inserted: inserted, updated: updated, deleted: deleted, rows.attributes?.map { $0.names(in: rows.entity) },
      needsReload: rows.needsReload)
  }
}
