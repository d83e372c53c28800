import DAOKit

/// A row of ``Everything`` as an entity with a Swift type.
struct EverythingRow: Entity, Hashable {
  let values: [Scalar]

  static let entityDescription = Everything.entity

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var small: Field<Int> { path.field("small") }
    var text: Field<String> { path.field("text") }
  }

  var primaryKey: Int64? { if case .integer(let id)? = values.first { id } else { nil } }

  init(row: inout RowReader) throws { values = try Everything.entity.attributes.map { _ in try row.takeScalar() } }

  func write(to row: inout ColumnWriter) throws { for value in values { try row.putScalar(value) } }
}
