import DAOKit

/// A row with a nullable order, ties, and indexes for both orders.
struct Mark: Entity, Hashable {
  var id: Int64?
  var score: Int?
  var group: String
  var name: String

  static let entityDescription = EntityDescription(
    "mark", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("score", .integer, optional: true), Attribute("group", .text), Attribute("name", .text),
    ],
    indexes: [Index(on: "score"), Index(on: "group", "name", descending: ["name"])])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var score: Field<Int?> { path.field("score") }
    var group: Field<String> { path.field("group") }
    var name: Field<String> { path.field("name") }
  }

  init(id: Int64? = nil, _ score: Int?, _ group: String, _ name: String) {
    (self.id, self.score, self.group, self.name) = (id, score, group, name)
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws { (id, score, group, name) = (try row.next(), try row.next(), try row.next(), try row.next()) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(score)
    try row.write(group)
    try row.write(name)
  }

  /// Two of three have a score; each score and each pair of group and name several rows.
  static let samples = (0..<60).map { Mark($0 % 3 == 0 ? nil : $0 % 7, ["a", "b", "B"][$0 % 3], "n\($0 % 4)") }
}

extension TestStore {
  /// A store with the sample marks.
  static func marks() throws -> TestStore {
    let store = try TestStore([Mark.entityDescription])
    try store.marks.insert(Mark.samples)
    store.trace.clear()
    return store
  }

  var marks: RuntimeDAO<Mark> { factory.runtimeDAO(Mark.self) }
}
