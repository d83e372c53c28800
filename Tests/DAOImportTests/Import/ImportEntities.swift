import DAOKit
import Foundation

enum CompanySize: String, AttributeValue { case small, large }

/// A company, whose key is assigned.
struct Company: Entity, Hashable {
  var code: String
  var name: String?
  var size: CompanySize?

  static let entityDescription: EntityDescription = EntityDescription(
    "company", key: .assigned(["code"]),
    attributes: [Attribute("code", .text), Attribute("name", .text, optional: true), Attribute("size", .text, optional: true)],
    relationships: [.toMany("people", Person.entityDescription, by: "employer")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var code: Field<String> { path.field("code") }
    var name: Field<String?> { path.field("name") }
    var size: Field<CompanySize?> { path.field("size") }
  }

  var primaryKey: String? { code }

  init(code: String, name: String? = nil, size: CompanySize? = nil) {
    self.code = code
    self.name = name
    self.size = size
  }

  init(row: inout RowReader) throws {
    code = try row.next()
    name = try row.next()
    size = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(code)
    try row.write(name)
    try row.write(size)
  }
}

/// A person, who is found by a number of the feed.
struct Person: Entity, Hashable {
  var id: Int64?
  var number: Int?
  var name: String
  var born: Date?
  var rating: Int
  var salary: Decimal?
  var employer: String?
  var isFavourite: Bool

  static let entityDescription: EntityDescription = EntityDescription(
    "person", key: .generated("id"),
    attributes: [
      Attribute("id", .integer, mapping: .excluded),
      Attribute("number", .integer, optional: true),
      Attribute("name", .text, mapping: ["full_name", "name.full", "name"]),
      Attribute("born", .date(.iso8601), optional: true, mapping: AttributeMapping(dates: [.iso8601, .pattern("dd.MM.yyyy")])),
      Attribute("rating", .integer, default: .integer(3), mapping: AttributeMapping(null: .useDefault)),
      Attribute("salary", .decimal(.scaled(2)), optional: true),
      Attribute("employer", .text, optional: true),
      Attribute("isFavourite", .bool, default: .bool(false), mapping: .excluded),
    ],
    indexes: [Index(on: "number", unique: true)],
    relationships: [
      .toOne("employer", Company.entityDescription, by: "employer", onDelete: .nullify, mapping: ["employer", "work.company"]),
      .toMany("phones", Phone.entityDescription, by: "person", mapping: RelationshipMapping(many: .replaceDeletingOrphans)),
      .manyToMany("tags", Tag.entityDescription, through: PersonTag.entityDescription, by: "person", to: "tag"),
    ], identity: ["number"])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var number: Field<Int?> { path.field("number") }
    var name: Field<String> { path.field("name") }
    var born: Field<Date?> { path.field("born") }
    var rating: Field<Int> { path.field("rating") }
    var salary: Field<Decimal?> { path.field("salary") }
    var employer: Field<String?> { path.field("employer") }
    var isFavourite: Field<Bool> { path.field("isFavourite") }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(number: Int?, name: String, employer: String? = nil, isFavourite: Bool = false) {
    self.number = number
    self.name = name
    rating = 3
    self.employer = employer
    self.isFavourite = isFavourite
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    number = try row.next()
    name = try row.next()
    born = try row.next()
    rating = try row.next()
    salary = try row.next()
    employer = try row.next()
    isFavourite = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(number)
    try row.write(name)
    try row.write(born)
    try row.write(rating)
    try row.write(salary)
    try row.write(employer)
    try row.write(isFavourite)
  }
}

/// A telephone of a person, which no feed identifies.
struct Phone: Entity, Hashable {
  var id: Int64?
  var person: Int64
  var digits: String

  static let entityDescription: EntityDescription = EntityDescription(
    "phone", key: .generated("id"),
    attributes: [
      Attribute("id", .integer, mapping: .excluded),
      Attribute("person", .integer, references: ForeignKey(table: "person", column: "id", onDelete: .cascade)), Attribute("digits", .text),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var person: Field<Int64> { path.field("person") }
    var digits: Field<String> { path.field("digits") }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    person = try row.next()
    digits = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(person)
    try row.write(digits)
  }
}

/// A word for people.
struct Tag: Entity, Hashable {
  var word: String

  static let entityDescription: EntityDescription = EntityDescription(
    "tag", key: .assigned(["word"]), attributes: [Attribute("word", .text)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var word: Field<String> { path.field("word") }
  }

  var primaryKey: String? { word }
  init(row: inout RowReader) throws { word = try row.next() }
  func write(to row: inout ColumnWriter) throws { try row.write(word) }
}

/// A word of a person.
struct PersonTag: Entity, Hashable {
  var person: Int64
  var tag: String

  static let entityDescription: EntityDescription = EntityDescription(
    "personTag", key: .assigned(["person", "tag"]),
    attributes: [
      Attribute("person", .integer, references: ForeignKey(table: "person", column: "id", onDelete: .cascade)),
      Attribute("tag", .text, references: ForeignKey(table: "tag", column: "word", onDelete: .cascade)),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
  }

  struct PrimaryKey: EntityKey {
    var person: Int64
    var tag: String
    init(row: inout RowReader) throws {
      person = try row.next()
      tag = try row.next()
    }
    func write(to row: inout ColumnWriter) throws {
      try row.write(person)
      try row.write(tag)
    }
  }

  var primaryKey: PrimaryKey? { nil }
  init(row: inout RowReader) throws {
    person = try row.next()
    tag = try row.next()
  }
  func write(to row: inout ColumnWriter) throws {
    try row.write(person)
    try row.write(tag)
  }
}
