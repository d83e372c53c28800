import DAOCriteria
import DAOSQL
import DAOSchema

extension Examination {
  /// Reads every row of an entity, as the entity, and writes it as it would be stored. Only those rules decide which values are valid.
  ///
  /// ```sql
  /// SELECT "id", "name", "inhabited" FROM "zone"
  /// ```
  ///
  /// Where the table lacks some of the attributes, the others are examined by their types.
  mutating func examineValues(of examined: ExaminedEntity) throws {
    let whole = examined.description
    guard let table = schema[whole.table], table.isView == whole.isReadOnly else { return }
    let present = whole.attributes.filter { attribute in
      table[attribute.column] != nil || table.implicitRowID.map { SchemaName.same($0, attribute.column) } == true
    }
    if present.isEmpty { return }
    let isWhole = present.count == whole.attributes.count
    let entity =
      isWhole
      ? whole : EntityDescription(whole.name, table: whole.table, source: whole.source, key: whole.key, attributes: present)
    let type: any Entity.Type = isWhole ? examined.type : DynamicEntity.self
    var values = ExaminedValues(of: entity, isDynamic: type == DynamicEntity.self)
    let list = present.map { $0.column.quotedIdentifier }.joined(separator: ", ")
    defer {
      rowCounts[entity.name] = values.rowCount
      for broken in values.broken { add(finding(broken, of: entity, in: table)) }
    }
    try connection.run(SQLStatement("SELECT \(list) FROM main.\(entity.table.quotedIdentifier)")) { statement in
      var rows = RowCursor(
        statement: statement.handle, functions: statement.functions, run: statement.run, columns: RowColumns(entity.types, of: entity))
      try type.examine(&rows, &values)
    }
  }

  private func finding(_ broken: BrokenValues, of entity: EntityDescription, in table: StoreSchema.Table) -> Finding {
    let attribute = entity.attributes[broken.column]
    return Finding(
      broken.kind, of: entity.name, at: attribute.name, rows: broken.count, broken.problem, examples: broken.examples,
      repair: repair(broken, attribute, in: table))
  }

  /// The rule that repairs these values, and the number of values that it repairs: a second statement, if there is a rule.
  private func repair(_ broken: BrokenValues, _ attribute: Attribute, in table: StoreSchema.Table) -> Repair {
    let column = attribute.column.quotedIdentifier
    guard !table.isView, let found = table[attribute.column], !found.isGenerated, attribute.type.fits(declared: found.declaredType),
      !isReferenced(found, in: table), let repair = ValueRepair(of: broken.form, in: attribute.type, column)
    else { return broken.sentence(attribute) }
    let target = "main.\(table.name.quotedIdentifier)"
    guard let reached = try? count("SELECT count(*) FROM \(target) WHERE \(repair.condition)"), reached > 0,
      (try? keepsApart(repair, found, in: table)) == true
    else {
      return broken.sentence(attribute)
    }
    let extent =
      if reached < broken.count {
        "\(reached) of the \(broken.count) rows; what the others mean, SQL can't tell"
      } else {
        broken.count == 1 ? "1 row" : "all \(broken.count) rows"
      }
    return Repair(
      "\(repair.sentence), in \(extent)",
      sql: ["UPDATE \(target) SET \(column) = \(repair.value) WHERE \(repair.condition)"])
  }
}

extension Examination {
  /// Whether rows are tied to each other by the column: a value that is written otherwise would cut the tie.
  private func isReferenced(_ column: StoreSchema.Column, in table: StoreSchema.Table) -> Bool {
    let isPointing = table.foreignKeys.contains { key in key.columns.contains { SchemaName.same($0, column.name) } }
    return isPointing
      || schema.tables.flatMap(\.foreignKeys).contains { key in
        SchemaName.same(key.table, table.name)
          && (key.targetColumns.isEmpty ? table.primaryKey : key.targetColumns).contains { SchemaName.same($0, column.name) }
      }
  }

  /// Whether the rows that are unique by the column are unique afterwards too: two spellings may stand for one value.
  private func keepsApart(_ repair: ValueRepair, _ column: StoreSchema.Column, in table: StoreSchema.Table) throws -> Bool {
    let (name, collation) = (column.name.quotedIdentifier, column.collation.quotedIdentifier)
    let written = "CASE WHEN \(repair.condition) THEN \(repair.value) ELSE \(name) END COLLATE \(collation)"
    let uniques = [table.primaryKey] + table.indexes.filter(\.isUnique).map(\.columns)
    for columns in uniques where columns.contains(where: { SchemaName.same($0, column.name) }) {
      let values = columns.map { SchemaName.same($0, column.name) ? written : $0.quotedIdentifier }
      if try doubles(of: table, values) > 0 { return false }
    }
    return true
  }
}

extension Entity {
  /// Opens the type once for all rows.
  fileprivate static func examine(_ rows: inout RowCursor, _ values: inout ExaminedValues) throws {
    while try rows.advance() { values.examine(&rows.row, as: Self.self) }
  }
}

/// Values of one attribute that break its form alike.
struct BrokenValues {
  let column: Int
  let kind: DoctorReport.Kind
  /// The storage class that they have.
  let form: ValueForm
  /// The problem of the first of them.
  let problem: String
  var count = 0
  var examples: [DoctorReport.Example] = []

  /// Returns the repair in words, where no SQL can do it.
  func sentence(_ attribute: Attribute) -> DoctorReport.Repair {
    // Nothing writes them.
    if attribute.isGenerated {
      return DoctorReport.Repair("change the column's expression, the values that it is computed of, or the attribute's type")
    }
    return switch (kind, form) {
    case (.unreadableValue, .null): DoctorReport.Repair("give the rows a value, or make \(attribute.name) optional")
    case (.unreadableValue, _): DoctorReport.Repair("write the values anew, in the form \(attribute.type.declaredName)")
    case (.spelling, .real):
      DoctorReport.Repair("state more digits for \(attribute.name), or write the numbers that are meant with SQL of your own")
    default: DoctorReport.Repair("find the rows by their keys and update them as they are, which writes the values anew")
    }
  }
}

/// A storage class.
enum ValueForm: Hashable {
  case null, integer, real, text, blob

  init(_ value: StoredValue) {
    self =
      switch value {
      case .null: .null
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
  }
}
