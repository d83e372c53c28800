import DAOKit
import DAOPacking
import Foundation
import Testing

/// All that is wrong with rows is reported at the first try.
@Suite struct RefusedRowTests {
  private let folder: PackingFolder
  init() throws { folder = try PackingFolder() }

  private func csv(_ name: String, _ text: String, of entity: String = "thing") throws -> SeedFile {
    let url = folder.file(name)
    try Data(text.utf8).write(to: url)
    return .csv(url, of: entity)
  }

  private func problems(_ packer: SeedPacker, _ files: SeedFile...) -> [String] {
    do { _ = try packer.pack(files, to: folder.file("seed.sqlite")) } catch SeedPacker.Failure.rows(let problems) {
      return problems.map(\.description)
    } catch { Issue.record("\(error)") }
    return []
  }

  private static let thing = EntityDescription(
    "thing", key: .assigned(["id"]),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("n", .integer), Attribute("ratio", .any, optional: true)],
    indexes: [Index(on: "name", unique: true), Index(on: "ratio", unique: true)])

  @Test func `a row that has a unique value of a refused one is reported with it`() throws {
    let packer = SeedPacker(describedBy: [Self.thing])
    #expect(
      problems(packer, try csv("a.csv", "id,name,n\n1,a,bad\n2,a,2\n")) == [
        "a.csv, row 1: thing.n expects an integer of 64 bits, not the text \"bad\"",
        "a.csv, row 2: thing.name is 'a', as in row 1 of a.csv",
      ])
  }

  @Test func `in other files, in rows that are refused for a double, and by what SQLite finds equal`() throws {
    let packer = SeedPacker(describedBy: [Self.thing])
    let json = folder.file("c.json")
    try Data(#"[{"id": 7, "name": "x", "n": "?", "ratio": 1}, {"id": 8, "name": "y", "n": 1, "ratio": 1.0}]"#.utf8).write(to: json)
    let found = problems(
      packer, try csv("a.csv", "id,name,n\n1,a,1\n1,b,1\n"), try csv("b.csv", "id,name,n\n2,b,1\n3,b,1\n4,c,\n4,d,1\n"),
      .json(json, of: "thing"))
    #expect(
      found == [
        "a.csv, row 2: thing.id is 1, as in row 1 of a.csv", "b.csv, row 1: thing.name is 'b', as in row 2 of a.csv",
        "b.csv, row 2: thing.name is 'b', as in row 1 of b.csv", "b.csv, row 3: thing.n is missing",
        "b.csv, row 4: thing.id is 4, as in row 3 of b.csv", "c.json, row 1: thing.n expects integer, not the text \"?\"",
        "c.json, row 2: thing.ratio is 1, as in row 1 of c.json",
      ])
  }

  @Test func `values that the Swift type alone refuses are reported with the others, each of a row`() throws {
    let rows = "name,color,size,n\na,red,1,1\nb,pink,9,2\nc,blue,8,x\nb,green,2,3\n,mauve,1,4\n"
    let found = problems(SeedPacker(Shape.self), try csv("a.csv", rows, of: "shape"))
    #expect(
      found == [
        "a.csv, row 2: shape.color expects Color, not \"pink\"", "a.csv, row 2: shape.size expects Size, not 9",
        "a.csv, row 3: shape.n expects an integer of 64 bits, not the text \"x\"", "a.csv, row 3: shape.size expects Size, not 8",
        "a.csv, row 4: shape.name is 'b', as in row 2 of a.csv",
        "a.csv, row 5: shape.name is an empty cell; an empty text is written in quotes",
        "a.csv, row 5: shape.color expects Color, not \"mauve\"",
      ])
  }

  @Test func `what the type says of a whole row is reported, unless it may be about values in the place of others`() throws {
    let found = problems(SeedPacker(Span.self), try csv("a.csv", "first,last\n1,2\n3,4\n9,2\n9,\nx,2\n8,7\n", of: "span"))
    #expect(
      found == [
        "a.csv, row 3: span can't be read as Span: backwards", "a.csv, row 4: span.last is missing",
        "a.csv, row 5: span.first expects an integer of 64 bits, not the text \"x\"",
        "a.csv, row 6: span can't be read as Span: backwards",
      ])
  }

  @Test func `a row is read with the key that it gets, not with another`() throws {
    let packer = SeedPacker(Odd.self)
    #expect(
      problems(packer, try csv("a.csv", "id,n\n5,1\n,7\n,9\n,9\n", of: "odd")) == [
        "a.csv, row 3: odd can't be read as Odd: apart"
      ])
    let manifest = try packer.pack([csv("a.csv", "id,n\n5,1\n,7\n", of: "odd")], to: folder.file("seed.sqlite"))
    #expect(manifest.rowCounts == ["odd": 2])
  }

  @Test func `a packer that knows the description alone packs them`() throws {
    let manifest = try SeedPacker(describedBy: [Shape.entityDescription]).pack(
      [csv("a.csv", "name,color,size,n\na,pink,9,1\n", of: "shape")], to: folder.file("seed.sqlite"))
    #expect(manifest.rowCounts == ["shape": 1])
  }
}

/// An entity whose number has to be its key's next, but for the key 5.
private struct Odd: Entity {
  enum Problem: Error { case apart }

  var id: Int64?
  var number: Int64

  static let entityDescription = EntityDescription(
    "odd", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("n", .integer)])

  struct Fields: EntityFields { init(path: FieldPath) {} }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    number = try row.next()
    guard let id else { return }
    if id != 5, number != id + 1 { throw Problem.apart }
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(number)
  }
}

/// An entity whose values have to go together.
private struct Span: Entity {
  enum Problem: Error { case backwards }

  var id: Int64?
  var first: Int
  var last: Int

  static let entityDescription = EntityDescription(
    "span", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("first", .integer), Attribute("last", .integer)])

  struct Fields: EntityFields { init(path: FieldPath) {} }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    first = try row.next()
    last = try row.next()
    if first > last || id.map({ $0 < 1 }) == true { throw Problem.backwards }
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(first)
    try row.write(last)
  }
}

/// An entity with values that are fewer than those of the attributes' types.
private struct Shape: Entity {
  enum Color: String, AttributeValue { case red, green, blue }
  enum Size: Int, AttributeValue { case small = 1, large }

  var id: Int64?
  var name: String
  var color: Color
  var size: Size
  var number: Int

  static let entityDescription = EntityDescription(
    "shape", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("color", .text), Attribute("size", .integer), Attribute("n", .integer),
    ], indexes: [Index(on: "name", unique: true)])

  struct Fields: EntityFields { init(path: FieldPath) {} }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    color = try row.next()
    size = try row.next()
    number = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(color)
    try row.write(size)
    try row.write(number)
  }
}
