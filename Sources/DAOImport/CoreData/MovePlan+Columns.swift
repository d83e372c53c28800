import DAOKit

// The columns that a mapping may have forgotten.
extension MovePlan {
  /// A column that is read for its name alone, which columns of sub-entities have too, with a number.
  struct Namesake {
    let mapping: Int
    /// The attribute or relationship, for messages.
    let name: String
    let column: String
  }

  /// Checks that the columns which are read for their names alone have the values that are there, of each entity whose rows are taken.
  mutating func checkNamesakes(_ counts: CoreDataCounts) throws {
    for namesake in namesakes {
      let (entity, source) = (mappings[namesake.mapping].entity, sources[namesake.mapping])
      let read = readNames(of: namesake.mapping)
      let others = source.namesakes(of: namesake.column).filter { !read.contains($0.name) }
      if others.isEmpty { continue }
      let column = source.column(namesake.column)
      for (number, kind) in kinds[namesake.mapping].sorted(by: { $0.key < $1.key }) {
        let values = try counts.counts(of: number, in: source).values
        if let column, values[column.column, default: 0] > 0 { continue }
        let full = others.filter { values[$0.column, default: 0] > 0 }.map { "'\($0.name)'" }
        if full.isEmpty { continue }
        let state = column.map { "reads the column \($0.column), which is null in each \(kind)" } ?? "has no column of its name"
        problems.append(
          "\(entity.name).\(namesake.name) \(state), but \(full.joined(separator: ", ")) has values of \(kind); map it to the column "
            + "that is meant, or to a list of columns, the first with a value, or exclude it")
        break
      }
    }
  }

  /// The names of the columns that a mapping reads, or excludes.
  private func readNames(of number: Int) -> Set<String> {
    let entity = entities[number]
    let parts = entity.mapping.mapping.parts
    let excluded = Set(parts.attributes.filter(\.value.isExcluded).keys).union(parts.relationships.filter(\.value.isExcluded).keys)
    return Set(entity.target.attributes.flatMap { $0.paths.map(\.description) })
      .union(entity.links.flatMap { $0.columns.map(\.name) }).union(excluded.map { $0.lowercased() })
  }

  /// The columns, positions, tables of pairs and entities that have values or rows, and that nothing reads.
  func findLeftOut(_ counts: CoreDataCounts, _ connection: any Connection) throws -> [String] {
    var leftOut: [String] = []
    for (number, entity) in entities.enumerated() {
      let read = readNames(of: number)
      for column in entity.source.description.attributes where !read.contains(column.name) {
        if CoreDataEntity.isOfLayout(column.column), !CoreDataEntity.isPosition(column.column) { continue }
        if try counts.values(column.column, of: entity.numbers, in: entity.source) > 0 {
          leftOut.append("\(entity.source.name).\(column.name)")
        }
      }
    }
    let tables = Set(entities.map(\.source.table))
    for join in schema.joins {
      let orders = Set(pairs.filter { $0.join == join }.flatMap { $0.orders.map(\.column) })
      if pairs.contains(where: { $0.join == join }) {
        let unread = join.sides.compactMap(\.order).filter { !orders.contains($0) }
        let values = try unread.isEmpty ? [:] : counts.counts(join.table, unread).values
        leftOut += unread.filter { values[$0, default: 0] > 0 }.map { "\(join.table).\($0)" }
        continue
      }
      let isBetween = join.sides.allSatisfy { side in
        side.number.flatMap { schema.entity(number: $0) }.map { tables.contains($0.table) } ?? true
      }
      if isBetween, try connection.hasRows("SELECT 1 FROM \(join.table.asSQLName)") { leftOut.append(join.table) }
    }
    let taken = Set(kinds.flatMap(\.keys))
    var rows: [String: [Int64: Int64]] = [:]
    for entity in schema.entities where !taken.contains(entity.number) {
      let own = try rows[entity.table] ?? counts.rows(of: entity.table)
      rows[entity.table] = own
      if let count = own[entity.number] { leftOut.append("\(entity.name) (\(count) \(count == 1 ? "row" : "rows"))") }
    }
    return leftOut
  }
}
