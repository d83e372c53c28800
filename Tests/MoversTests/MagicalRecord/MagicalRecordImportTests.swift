import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Import”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordImportTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_importFromObject:`() throws {
    let report = try people.import(.json(data))
    #expect(report["person"].updated == 1 && report["person"].inserted == 1)
  }

  @Test func `MR_importFromObject: as a one-liner`() throws {
    #expect(try Person.import(.json(data))["person"].updated == 1)
  }

  @Test func `MR_importFromArray:`() throws {
    try Data(#"{"data": {"people": \#(String(decoding: data, as: UTF8.self))}}"#.utf8).write(to: url)
    let report = try people.import(.json(url, at: "data.people"))
    #expect(report.records == 2)
  }

  @Test func `MR_importFromArray: as a one-liner`() throws {
    try data.write(to: url)
    #expect(try Person.import(.json(url)).records == 2)
  }

  @Test func `MR_importValuesForKeysWithObject:`() throws {
    try people.import(.json(data))
    #expect(try people.find(id).age == 32)
  }

  @Test func `shouldImport:`() throws {
    var mapping = ImportMapping<Person>()
    mapping.before { record in record["deleted"] == true ? .skip : .proceed }
    let report = try people.import(json(#"[{"email": "x@example.org", "deleted": true}]"#), mapping)
    #expect(report["person"].skipped == 1)
  }

  @Test func `willImport:`() throws {
    var mapping = ImportMapping<Person>()
    mapping.before { record in
      print(record.number); return .proceed
    }
    try people.import(.json(data), mapping)
    #expect(printed == ["0", "1"])
  }

  @Test func `didImport:`() throws {
    var mapping = ImportMapping<Person>()
    mapping.after { person, record in print(person.email, record.number) }
    try people.import(.json(data), mapping)
    #expect(printed.count == 2)
  }

  @Test func `import<Attribute>:`() throws {
    var mapping = ImportMapping<Person>()
    mapping.after(\.lastName) { name, _ in name.capitalized }
    try people.import(json(#"[{"email": "ann@example.org", "lastName": "lee lind"}]"#), mapping)
    #expect(try people.find(id).lastName == "Lee Lind")
  }

  @Test func `shouldImport<Relationship>:`() throws {
    var mapping = ImportMapping<Person>()
    mapping.before(related: "company") { value, _ in value.isNull ? .skip : .proceed }
    try people.import(json(#"[{"email": "ann@example.org", "company": null}]"#), mapping)
    #expect(try people.find(id).company == 1)
  }

  @Test func `import<Relationship>:`() throws {
    var mapping = ImportMapping<Person>()
    mapping.instead(related: "company") { record in record["employer"] }
    try people.import(json(#"[{"email": "ann@example.org", "employer": 2}]"#), mapping)
    #expect(try people.find(id).company == 2)
  }

  @Test func `kMagicalRecordImportAttributeValueClassNameKey`() throws {
    var mapping = ImportMapping<Person>()
    mapping.instead(\.city) { record in record["town"]?.text }
    try people.import(json(#"[{"email": "ann@example.org", "town": "Praha"}]"#), mapping)
    #expect(try people.find(id).city == "Praha")
  }

  @Test func `MR_primaryKey`() throws {
    let value = ImportValue.object(["name": .object(["full": "Ann"])])["name.full"]
    #expect(value?.text == "Ann")
  }
}
