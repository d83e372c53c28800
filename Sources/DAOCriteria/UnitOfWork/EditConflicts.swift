/// Compares edited rows with those of a store, and settles what differs by a policy.
package struct EditConflicts {
  /// The policy.
  let policy: ConflictPolicy
  /// The entity of a table, by which conflicts are named.
  let entity: (EditedTable) -> EntityDescription
  /// The conflicts that the policy refuses.
  package private(set) var refused: [DAOError.Conflict] = []

  package init(_ policy: ConflictPolicy, entity: @escaping (EditedTable) -> EntityDescription) {
    self.policy = policy
    self.entity = entity
  }

  /// The edit to make where the store has a row; nil where there is nothing left to do.
  /// - Parameter theirs: the row of the store; nil where there is none.
  package mutating func settled(_ row: EditedRow, of table: EditedTable, theirs: [StoredValue]?) throws -> EditedRow? {
    if row.base == theirs { return row.isChange ? row : nil }
    // Two who delete a row want the same. Two who give it the same values may each have counted one up.
    if row.mine == nil, theirs == nil { return nil }
    let entity = entity(table)
    let conflict = Self.conflict(row, of: table, entity, theirs: theirs)
    switch try policy.resolution(of: conflict) {
    case .refuse: break
    case .takeTheirs: return nil
    case .keepMine: return EditedRow(base: theirs, mine: row.mine.map { raised($0, over: theirs, of: table, entity) })
    case .byAttribute:
      guard let base = row.base, let mine = row.mine, let theirs else { break }
      let version = entity.versionAttribute.flatMap { table.position(of: $0.column) }
      let own = table.differences(base, mine).filter { $0 != version }
      guard own.allSatisfy({ theirs[$0] == base[$0] || theirs[$0] == mine[$0] }) else { break }
      var merged = theirs
      for column in own { merged[column] = mine[column] }
      return EditedRow(base: theirs, mine: raised(merged, over: theirs, of: table, entity))
    case .values(let values):
      guard var merged = theirs ?? row.mine else { break }
      for (name, value) in values {
        guard let attribute = entity[name], let column = table.position(of: attribute.column) else {
          throw DAOError.invalidValue(entity: entity.name, attribute: name, problem: "is no attribute")
        }
        if attribute.isGenerated {
          throw DAOError.invalidValue(entity: entity.name, attribute: name, problem: Attribute.generatedProblem)
        }
        do { merged[column] = try attribute.type.stored(value) } catch {
          throw DAOError.invalidValue(entity: entity.name, attribute: name, problem: "\(error)")
        }
      }
      return EditedRow(base: theirs, mine: raised(merged, over: theirs, of: table, entity))
    }
    refused.append(conflict)
    return nil
  }

  /// The row with a version after that of the row that it is written over.
  private func raised(
    _ row: [StoredValue], over theirs: [StoredValue]?, of table: EditedTable, _ entity: EntityDescription
  ) -> [StoredValue] {
    guard let theirs, let version = entity.versionAttribute.flatMap({ table.position(of: $0.column) }),
      case .integer(let number) = theirs[version]
    else { return row }
    var row = row
    row[version] = .integer(number.nextVersion)
    return row
  }

  /// The conflict between an edited row and that of the store.
  package static func conflict(
    _ row: EditedRow, of table: EditedTable, _ entity: EntityDescription, theirs: [StoredValue]?
  ) -> DAOError.Conflict {
    func scalars(_ row: [StoredValue]?) -> [String: Scalar]? {
      row.map { row in entity.scalars(of: entity.attributes.map { table.position(of: $0.column).map { row[$0] } ?? .null }) }
    }
    let (base, mine, theirs) = (scalars(row.base), scalars(row.mine), scalars(theirs))
    let known = base ?? mine ?? theirs ?? [:]
    return DAOError.Conflict(
      entity: entity.name, key: entity.key.attributes.map { known[$0] ?? .null }, base: base, mine: mine, theirs: theirs)
  }
}
