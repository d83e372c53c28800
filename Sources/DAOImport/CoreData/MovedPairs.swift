import DAOKit

/// How the pairs of a table become rows of the entity between two others.
struct MovedPairs {
  /// An attribute that takes positions in an ordered relationship.
  struct Order: Hashable {
    let position: Int
    /// The column of the table that has them.
    let column: String
  }

  /// The relationship, for messages.
  let relationship: String
  let join: CoreDataJoin
  /// The sides of the table: the rows that have the relationship, and those that it leads to.
  let by, to: CoreDataJoin.Side
  /// The numbers of the moved entities of both sides.
  let sources, targets: [Int]
  let entity: EntityDescription
  /// The positions of the keys of both sides.
  let byPositions, toPositions: [Int]
  /// The attributes that take positions: of the rows that the relationship leads to, and of those that have it.
  var orders: [Order]
  /// The values of a new row; those of the keys and the positions are replaced.
  var defaults: [StoredValue] = []
}
