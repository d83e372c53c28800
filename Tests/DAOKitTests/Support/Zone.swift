import DAOKit

/// The entity that most tests ask for, written by hand.
struct Zone: Entity, Hashable {
  var id: Int64?
  var name: String
  var offset: Int
  var comment: String?

  static let entityDescription = EntityDescription(
    "zone", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("offset", .integer), Attribute("comment", .text, optional: true),
    ],
    indexes: [Index(on: "name", unique: true)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var offset: Field<Int> { path.field("offset") }
    var comment: Field<String?> { path.field("comment") }
  }

  init(id: Int64? = nil, _ name: String, _ offset: Int, _ comment: String? = nil) {
    self.id = id
    self.name = name
    self.offset = offset
    self.comment = comment
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    offset = try row.next()
    comment = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(offset)
    try row.write(comment)
  }
}

extension Zone {
  /// Rows that tell the meanings apart: nulls, an empty text, ties, both cases, other than ASCII, every character that patterns know.
  static let samples = [
    Zone("Europe/Bratislava", 3600), Zone("Europe/London", 0, "UTC in winter"), Zone("Asia/Kolkata", 19800),
    Zone("America/New_York", -18000, #"100% east_coast [a*b?] \ back"#), Zone("europe/minsk", 10800, ""), Zone("Ärzte", 3600, "ä"),
  ]
  static let bratislava: Int64 = 1
  static let london: Int64 = 2
  static let kolkata: Int64 = 3
  static let newYork: Int64 = 4
  static let minsk: Int64 = 5
  static let doctors: Int64 = 6
}
