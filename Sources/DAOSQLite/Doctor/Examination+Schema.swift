import DAOCriteria
import DAOSQL
import DAOSchema

extension Examination {
  /// Reports the differences between the store's schema and the entities. The repair for a missing index or search table is the statement
  /// that creates it.
  mutating func examineDrift() throws {
    for entity in entities.map(\.description) {
      for problem in entity.problems { add(Finding(.drift, of: entity.name, problem, repair: Repair("change the entity"))) }
      for found in SchemaComparison.differences(of: schema, from: entity) {
        let difference = found.described(of: entity, in: schema)
        let element = difference.element.isEmpty ? nil : difference.element
        var repair = Self.migrate
        var rows: Int?
        if case .index(let index) = found, let table = schema[entity.table] {
          (repair, rows) = try self.repair(index, of: entity, in: table)
        } else if let sql = searchSQL(for: difference, of: entity) {
          repair = Repair("make the search table, and take the rows in", sql: sql)
        }
        add(
          Finding(
            .drift, of: entity.name, at: element, rows: rows, "the entity has \(difference.expected), the store has \(difference.found)",
            repair: repair))
      }
    }
  }

  /// Returns the statement that creates an index, if everything that it needs exists, and the number of rows that would violate it.
  private mutating func repair(_ index: Index, of entity: EntityDescription, in table: StoreSchema.Table) throws -> (Repair, doubles: Int?)
  {
    let columns = index.attributes.compactMap { entity[$0]?.column }
    // An index follows its columns' collations, which a migration changes first.
    let areCompared = index.attributes.allSatisfy { name in
      guard let attribute = entity[name], let column = table[attribute.column] else { return false }
      return attribute.type.compares(by: column.collation)
    }
    guard areCompared else { return (Self.migrate, nil) }
    if index.isUnique {
      let doubles = try doubles(of: table, columns.map(\.quotedIdentifier))
      if doubles > 0 {
        return (
          Repair("tell the \(doubles) rows apart that have the same \(columns.joined(separator: ", ")); then make the index"), doubles
        )
      }
    }
    return (Repair("make the index", sql: [SchemaSQL.index(index, of: entity, named: free(SchemaSQL.name(of: index, of: entity)))]), nil)
  }

  /// Returns the statements that create a missing part of a search table, or index its rows.
  private func searchSQL(for difference: SchemaDifference, of entity: EntityDescription) -> [String]? {
    guard difference.element == "search", let table = schema[entity.table],
      entity.searchableAttributes.allSatisfy({ table[$0.column] != nil })
    else { return nil }
    let statements = SearchSQL.statements(for: entity)
    guard let search = table.search else {
      guard let place = statements.firstIndex(of: difference.expected) else { return nil }
      // Behind the table come its triggers, of which some may be left.
      let event = place == 0 ? nil : SearchSQL.triggerNames(of: table.name)[place - 1]
      return (event.map { ["DROP TRIGGER IF EXISTS main.\($0.quotedIdentifier)"] } ?? []) + [difference.expected]
        + (place == statements.count - 1 ? [SearchSQL.rebuild(table.name)] : [])
    }
    return search.isBehind && !statements.contains(difference.expected) ? [SearchSQL.rebuild(table.name)] : nil
  }

  /// Foreign keys of the store that no index serves, those of entities' relationships aside, which are drift.
  mutating func examineIndexes() throws {
    for table in schema.tables {
      guard let entity = schema.description(of: table.name) else { continue }
      // An index has its columns' collations, and a foreign key goes by those over there: where they differ none is asked for.
      for key in table.foreignKeys where !table.serves(key.columns) && hasCollations(of: key, in: table) {
        let isReported = entities.contains { examined in
          SchemaName.same(examined.description.table, table.name)
            && table.missingIndexes(of: examined.description).contains { missing in
              SchemaName.same(missing.attributes.compactMap { examined.description[$0]?.column }, key.columns)
            }
        }
        if isReported { continue }
        let index = Index(on: key.columns.map { table[$0]?.name ?? $0 }, unique: false)
        let name = free(SchemaSQL.name(of: index, of: entity))
        add(
          Finding(
            .missingIndex, of: table.name, at: key.columns.joined(separator: ", "),
            "no index serves the foreign key to \(key.table): each delete there, and each look from there, reads every row here",
            repair: Repair("make one", sql: [SchemaSQL.index(index, of: entity, named: name)])))
      }
    }
  }

  /// Whether the columns of a foreign key have the collations of those that they point to, and each is one that SQLite has.
  private func hasCollations(of key: StoreSchema.ForeignKey, in table: StoreSchema.Table) -> Bool {
    zip(key.columns, schema.columns(of: key)).allSatisfy { here, there in
      guard let here = table[here], let there = schema[key.table]?[there] else { return here == there }
      return here.isCompared(as: there)
    }
  }

  /// A name that nothing in the store has, and no other repair would give.
  private mutating func free(_ name: String) -> String {
    let taken = schema.tables.map(\.name) + schema.tables.flatMap(\.indexes).map(\.name) + repairedNames
    var free = name
    while taken.contains(where: { SchemaName.same($0, free) }) { free += "_2" }
    repairedNames.append(free)
    return free
  }
}

extension StoreSchema.Table {
  /// Whether rows are found by values of these columns without reading every row.
  fileprivate func serves(_ columns: [String]) -> Bool {
    let wanted = Set(columns.map(SchemaName.init))
    return ([primaryKey] + indexes.filter(\.isPlain).map(\.columns)).contains {
      Set($0.prefix(columns.count).map(SchemaName.init)) == wanted
    }
  }
}
