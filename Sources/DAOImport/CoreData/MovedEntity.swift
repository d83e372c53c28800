import DAOKit

/// How the rows of a Core Data entity become rows of a store.
struct MovedEntity {
  /// A reference to another row, which is stored as its key.
  struct Link {
    /// The relationship or the attribute, for messages.
    let name: String
    /// The column that holds the Z_PK of the other row.
    let column: Attribute
    /// The positions of the attributes that take its key.
    let positions: [Int]
    /// The numbers of the moved entities that the other row may be of.
    let targets: [Int]
    /// Whether it may lead nowhere.
    let isOptional: Bool
  }

  let mapping: CoreDataMapping
  let source: CoreDataEntity
  /// The numbers of the Core Data entities whose rows they are, with their names.
  let names: [Int64: String]
  /// The plan of the entity, without its relationships.
  let plan: RecordPlan
  /// The columns that records have.
  let columns: [CoreDataColumn]
  let links: [Link]

  var numbers: [Int64] { names.keys.sorted() }
  var target: EntityPlan { plan.entities[0] }
}

/// How the pairs of a table become rows of the entity between two others.
struct MovedPairs {
  let join: CoreDataJoin
  /// The sides of the table: the rows that have the relationship, and those that it leads to.
  let by, to: CoreDataJoin.Side
  /// The numbers of the moved entities of both sides.
  let sources, targets: [Int]
  let entity: EntityDescription
  /// The positions of the keys of both sides.
  let byPositions, toPositions: [Int]
  /// The position of the attribute that takes the place in the order; nil for none.
  let order: Int?
  /// The values of a new row; those of the keys are replaced.
  let defaults: [StoredValue]
}
