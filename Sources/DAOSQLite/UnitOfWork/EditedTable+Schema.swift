import DAOCriteria
import DAOSQL
import DAOSchema

extension EditedTable {
  /// A table as the store's schema has it.
  /// - Parameter entities: the entities whose relationships point to other rows too.
  /// - Throws: ``DAOError/unsupported(_:)`` for one whose rows can't be told apart.
  convenience init(_ table: StoreSchema.Table, in schema: StoreSchema, _ entities: [SchemaName: EntityDescription]) throws {
    func positions(_ names: [String]) -> [Int] {
      names.compactMap { name in table.columns.firstIndex { SchemaName.same($0.name, name) } }
    }
    let unique = table.indexes.filter { $0.isUnique && !$0.columns.isEmpty }
    let required = table.columns.indices.filter { position in
      let column = table.columns[position]
      return column.isNotNull || table.isWithoutRowID && column.primaryKeyPosition > 0 || table.isIntegerPrimaryKey(column)
    }
    let computed = Set(table.columns.indices.filter { table.columns[$0].isGenerated })
    // A primary key may take nulls unless it is declared otherwise; a row that has one can't be edited.
    let candidates =
      [positions(table.primaryKey)]
      + unique.filter(\.isPlain).map { positions($0.columns) }.filter { Set($0).isSubset(of: required) && computed.isDisjoint(with: $0) }
    guard let key = candidates.first(where: { !$0.isEmpty }) else {
      throw DAOError.unsupported(
        "the table \(table.name) in a unit of work: it has no primary key, and no unique index over columns declared NOT NULL that are "
          + "not generated, by which its rows could be told apart")
    }
    let declared = table.foreignKeys.map { key in
      Reference(
        columns: positions(key.columns), table: SchemaName(key.table), targets: schema.columns(of: key).map(SchemaName.init),
        onUpdate: Reference.Action(key.onUpdate), onDelete: Reference.Action(key.onDelete))
    }
    // Relationships that no foreign key of the schema stands for.
    let described = (entities[SchemaName(table.name)]?.references ?? []).map { key in
      Reference(columns: positions(key.columns), table: SchemaName(key.table), targets: key.targets.map(SchemaName.init))
    }.filter { key in
      !key.columns.isEmpty && !declared.contains { $0.columns == key.columns && $0.table == key.table && $0.targets == key.targets }
    }
    self.init(
      name: table.name, columns: table.columns.map(\.name), collations: table.columns.map { SchemaName.capitals($0.collation) },
      numeric: Set(table.columns.indices.filter { Affinity(declaredName: table.columns[$0].declaredType).isNumeric }), key: key,
      generatedKey: table.integerPrimaryKey.flatMap { positions([$0]).first },
      computed: computed, uniques: unique.map { positions($0.columns) }, required: Set(required), references: declared + described)
  }
}

extension EditedTable.Reference.Action {
  fileprivate init(_ clause: String) {
    self =
      switch SchemaName.capitals(clause) {
      case "CASCADE": .cascade
      case "SET NULL", "SET DEFAULT": .set
      default: .nothing
      }
  }
}

extension EntityDescription {
  /// The columns of this entity that point to rows of others.
  fileprivate var references: [(columns: [String], table: String, targets: [String])] {
    ((try? foreignKeys()) ?? []).map { key in (key.attributes.map(\.column), key.table, key.columns) }
  }
}
