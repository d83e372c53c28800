import DAOKit

extension Entity {
  /// The entity that a row in stored form is.
  init(stored: [StoredValue]) throws {
    var reader = RowReader(stored, columns: RowColumns(Self.entityDescription.attributes.map(\.type)))
    try self.init(row: &reader)
  }

  /// The row in stored form.
  var stored: [StoredValue] {
    get throws {
      var writer = ColumnWriter(collecting: Self.entityDescription.attributes.map(\.type))
      try write(to: &writer)
      return writer.values
    }
  }

  /// Every property with its value, in the order of the source.
  var properties: [String] { Mirror(reflecting: self).children.map { "\($0.label ?? ""): \($0.value)" } }
}

extension EntityKey {
  /// The key's columns in stored form.
  func stored(in description: EntityDescription) throws -> [StoredValue] {
    var writer = ColumnWriter(collecting: description.keyAttributes.map(\.type))
    try write(to: &writer)
    return writer.values
  }
}
