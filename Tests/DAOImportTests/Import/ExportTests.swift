import DAOImport
import DAOKit
import Foundation
import TestCases
import Testing

/// Rows that become records, and rows again.
@Suite struct ExportTests {
  let people: RuntimeDAO<Person>
  let factory: DAOFactory

  init() throws {
    factory = try ImportTests.factory()
    people = factory.runtimeDAO(Person.self)
    try people.import(
      .json(
        Data(
          #"""
          [{"number": 1, "name": "Ä \"q\", ;", "born": "1990-02-01", "salary": 10.25, "employer": {"code": "X", "name": "Ex"},
            "phones": [{"digits": "1"}], "tags": ["red", "blue"]},
           {"number": 2, "name": ""}]
          """#.utf8)))
  }

  private func text(
    _ criteria: SearchCriteria<Person> = .all, as form: RecordForm, _ mapping: ImportMapping<Person> = ImportMapping()
  ) throws -> String {
    String(decoding: try people.exported(criteria.order(by: \.number), as: form, mapping), as: UTF8.self)
  }

  @Test func relatedRowsAreNamedOrNested() throws {
    #expect(
      try text(as: .jsonLines) == #"""
        {"number": 1, "full_name": "Ä \"q\", ;", "born": "1990-02-01T00:00:00.000Z", "rating": 3, "salary": 10.25, \#
        "employer": "X", "tags": ["blue", "red"]}
        {"number": 2, "full_name": "", "born": null, "rating": 3, "salary": null, "employer": null, "tags": []}

        """#)
    let nested = SearchCriteria<Person>.where(\.number == 1).prefetch("employer", "phones")
    #expect(
      try text(nested, as: .json) == #"""
        [
        {"number": 1, "full_name": "Ä \"q\", ;", "born": "1990-02-01T00:00:00.000Z", "rating": 3, "salary": 10.25, \#
        "employer": {"code": "X", "name": "Ex", "size": null}, "phones": [{"digits": "1"}], "tags": ["blue", "red"]}
        ]

        """#)
    #expect(try text(.where(\.number == 9), as: .json) == "[]\n")
  }

  @Test func cellsHoldValuesAndKeysAndNoLists() throws {
    #expect(throws: DAOError.self) { try text(as: .csv()) }
    #expect(throws: DAOError.self) { try text(.all.prefetch("employer"), as: .csv()) }
    var mapping = ImportMapping<Person>()
    mapping[related: "tags"] = .excluded
    let csv = try text(as: .csv(delimiter: ";"), mapping)
    #expect(
      csv == """
        number;full_name;born;rating;salary;employer
        1;"Ä ""q"", ;";1990-02-01T00:00:00.000Z;3;10.25;X
        2;"";;3;;

        """)
    #expect("\(try people.import(.csv(Data(csv.utf8), delimiter: ";"), mapping))" == "person: 2 unchanged")
  }

  @Test func whatNoRecordCanSayIsAnError() throws {
    let page = EntityDescription(
      "page", key: .assigned(["id"]),
      attributes: [
        Attribute("id", .integer), Attribute("json", .json, optional: true), Attribute("text", .text, optional: true),
        Attribute("date", .date(.iso8601), optional: true, mapping: AttributeMapping(dates: [.pattern("dd.MM.yyyy")])),
      ])
    let pages = try DAOFactory(store: .inMemory(), describedBy: [page]).runtimeDAO(page)
    func exported(_ values: [String: Scalar], _ form: RecordForm = .jsonLines) throws -> String {
      try pages.delete(.all, allowUnfiltered: true)
      try pages.insert(DynamicEntity(page, values.merging(["id": 1]) { $1 }))
      let before = try pages.findAll()
      let data = try pages.exported(as: form)
      try pages.delete(.all, allowUnfiltered: true)
      let source: ImportSource = if case .csv = form { .csv(data) } else { .jsonLines(data) }
      try pages.import(source)
      #expect(try pages.findAll() == before)
      return String(decoding: data, as: UTF8.self)
    }
    #expect(try exported(["json": .text(#"{"a":[2],"b":1}"#)]).contains(#""json": {"a":[2],"b":1}"#))
    #expect(throws: DAOError.self) { try exported(["json": .text("null")]) }
    #expect(throws: DAOError.self) { try exported(["date": .date(Date(timeIntervalSince1970: 3600))]) }
    for text in ["a\"\u{301}b", "\t", " ", "", ",", "\u{FEFF}x", "a\r\nb"] {
      for form in [RecordForm.jsonLines, .csv()] { _ = try exported(["text": .text(text)], form) }
    }
    // A row that has no identity can't be named.
    try people.insert(Person(number: nil, name: "none"))
    let phone = EntityDescription(
      "call", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("person", .integer)],
      relationships: [.toOne("person", Person.entityDescription, by: "person")])
    let store = try DAOFactory(
      store: .inMemory(),
      describedBy: [
        phone, Person.entityDescription, Company.entityDescription, Phone.entityDescription, Tag.entityDescription,
        PersonTag.entityDescription,
      ])
    let calls = store.runtimeDAO(phone)
    try calls.import(.json(Data(#"[{"id":1,"person":{"name":"A"}}]"#.utf8)))
    #expect(throws: DAOError.self) { try calls.exported(as: .json) }
    #expect(String(decoding: try calls.exported(.all.prefetch("person"), as: .json), as: UTF8.self).contains(#""full_name": "A""#))
  }

  @Test func aFileIsReplacedWhenItIsComplete() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("people.json")
    for _ in 1...2 { #expect(try people.export(as: .json, to: url) == 2) }
    #expect("\(try people.import(.json(url)))" == "person: 2 unchanged")
    let before = try Data(contentsOf: url)
    var mapping = ImportMapping<Person>()
    mapping[\.name] = "number.text"
    #expect(throws: DAOError.self) { try people.export(as: .json, to: url, mapping) }
    #expect(throws: DAOError.self) { try people.export(.where(.field("nothing") == 1), as: .json, to: url) }
    #expect(try Data(contentsOf: url) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["people.json"])
    #expect(throws: (any Error).self) { try people.export(as: .json, to: folder.appendingPathComponent("no/people.json")) }
  }

  @Test func datesAreWrittenInTheFirstOfTheirForms() throws {
    var mapping = ImportMapping<Person>()
    for (form, expected) in [
      (DateForm.unixSeconds, "633830400"), (.unixMilliseconds, "633830400000"), (.pattern("d.M.yyyy"), "\"1.2.1990\""),
    ] {
      mapping[\.born] = AttributeMapping("born", dates: [form, .iso8601])
      #expect(try text(.where(\.number == 1), as: .jsonLines, mapping).contains("\"born\": \(expected),"))
    }
  }
}
