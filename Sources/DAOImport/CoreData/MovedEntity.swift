import DAOKit

/// How the rows of a Core Data entity become rows of a store.
struct MovedEntity {
  /// A reference to another row, which is stored as its key.
  struct Link {
    /// The relationship or the attribute, for messages.
    let name: String
    /// The columns that hold the Z_PK of the other row; the first that is not null counts.
    let columns: [Attribute]
    /// The positions of the attributes that take its key.
    let positions: [Int]
    /// The numbers of the moved entities that the other row may be of.
    let targets: [Int]
    /// Whether it may lead nowhere.
    let isOptional: Bool

    /// The column that messages name.
    var column: Attribute { columns[0] }

    /// The Z_PK of the other row, as SQL.
    var value: String {
      let names = columns.map(\.column.asSQLName)
      return names.count == 1 ? names[0] : "coalesce(\(names.joined(separator: ", ")))"
    }
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
