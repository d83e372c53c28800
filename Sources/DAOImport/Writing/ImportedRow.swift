import DAOKit

/// A row in its stored form, of any entity.
struct ImportedRow: Entity {
  let entity: EntityDescription
  var values: [StoredValue]

  init(_ values: [StoredValue], of entity: EntityDescription) {
    self.entity = entity
    self.values = values
  }

  // MARK: Entity

  static let entityDescription = EntityDescription("ImportedRow", key: .assigned([]), attributes: [])

  typealias Fields = DynamicEntity.Fields

  var primaryKey: [Scalar]? {
    let key = entity.keyAttributes.compactMap { attribute in
      entity.position(of: attribute.name).flatMap { try? attribute.type.scalar(values[$0]) }
    }
    return key.contains(.null) ? nil : key
  }

  init(row: inout RowReader) throws {
    guard let entity = row.entity else { throw row.failed(ValueProblem("can't be read without its entity")) }
    self.entity = entity
    values = []
    values.reserveCapacity(row.columnCount)
    while row.position < row.columnCount { values.append(try row.takeStored()) }
  }

  func write(to row: inout ColumnWriter) throws { for value in values { try row.putStored(value) } }

  mutating func setGeneratedKey(_ key: Int64) {
    if case .generated(let name) = entity.key, let position = entity.position(of: name) { values[position] = .integer(key) }
  }

  mutating func raiseVersion() {
    if let position = entity.versionPosition, case .integer(let version) = values[position] {
      values[position] = .integer(version.nextVersion)
    }
  }
}
