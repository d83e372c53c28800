/// The rows of one entity that a commit changed, as a store hands them to its feed.
package struct ChangedRows: Sendable {
  /// The entity.
  package let entity: EntityDescription
  /// Whether other rows of the entity may have changed too.
  package let needsReload: Bool
  private let net: NetChanges
  private var withAttributes: Bool
  /// Each change with its row, in the order of the changes; nil where that was not asked for, or where they were too many to note.
  package let rowChanges: [ChangedRow]?

  /// The rows that a transaction has noted; nil where all of it has been undone.
  package init?(_ noted: NotedRows, of followed: FollowedEntity) {
    entity = followed.entity
    needsReload = noted.isUnknown
    net = NetChanges(of: noted, attributeCount: followed.withAttributes ? entity.attributes.count : nil)
    withAttributes = followed.withAttributes
    rowChanges = followed.withRows ? noted.rowChanges : nil
    // Only a row that came and went leaves nothing. Otherwise the thread that writes has nothing to find out.
    if noted.isEmpty || noted.mayCancelOut && !needsReload && net.rows.count == 0 { return nil }
  }

  /// Unknown rows of an entity.
  package init(unknownOf entity: EntityDescription) {
    (self.entity, needsReload, withAttributes, rowChanges) = (entity, true, false, nil)
    net = NetChanges(of: NotedRows(), attributeCount: nil)
  }

  /// The keys of new rows.
  package var inserted: ChangedKeys { net.rows.inserted }
  /// The keys of rows that were there and still are.
  package var updated: ChangedKeys { net.rows.updated }
  /// The keys of rows that were there.
  package var deleted: ChangedKeys { net.rows.deleted }
  /// The changed attributes of each updated row, where the consumer asked for them.
  package var attributes: [AttributeSet]? { withAttributes ? net.rows.attributes : nil }

  /// How many changes were noted: at least as many as rows.
  var changeCount: Int { net.changeCount }

  /// The rows as one consumer gets them.
  func with(attributes isAsked: Bool) -> ChangedRows {
    var rows = self
    rows.withAttributes = withAttributes && isAsked
    return rows
  }
}
