import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.8 of Documentation/behaviours.md: mappings, calls and hooks.
@Suite struct MagicalRecordImportRowTests: ParcelImporting {
  let factory: DAOFactory
  private let printed = Printed()

  init() throws { factory = try Self.factory(printed) }

  @Test func `1A.8 mappedKeyName`() throws {
    try read(#"[{"number": 1, "title_text": "Books", "title": "other"}, {"number": 2, "title": "other"}]"#)
    #expect(try parcel(1).title == "Books" && parcel(2).title == nil)
    try read(#"[{"number": 1, "route": {"depot": "A"}}, {"number": 2, "depot": "A"}]"#)
    #expect(try parcel(1).depot == 1 && parcel(2).depot == nil)
  }

  @Test func `1A.8 mappedKeyName.1 … .9`() throws {
    try read(
      """
      [{"number": 1, "sender_name": "Lee"}, {"number": 2, "sender": {"name": {"last": "Berg"}}, "sender_name": "Lee"},
       {"number": 3, "sender": {"name": {"last": null}}, "sender_name": "Lee"}, {"number": 4, "order": {"shop": "A"}}]
      """)
    #expect(try (1...3).map { try parcel($0).sender } == ["Lee", "Berg", nil])
    #expect(try parcel(4).shop == "A")
  }

  @Test func `1A.8 dateFormat`() throws {
    try read(#"[{"number": 1, "paid": "2.1.1970"}, {"number": 2, "paid": 86400000}, {"number": 3, "sent": "1970-01-02T01:00:00.0+01:00"}]"#)
    let day = Date(timeIntervalSince1970: 86_400)
    #expect(try parcel(1).paid == day && parcel(2).paid == day && parcel(3).sent == day)
    #expect(try problems(#"[{"number": 4, "paid": "soon"}]"#) == ["/0/paid"])
    var mapping = ImportMapping<Parcel>()
    mapping[\.sent] = AttributeMapping(dates: [.pattern("dd.MM.yyyy"), .iso8601])
    try read(#"[{"number": 5, "sent": "02.01.1970"}, {"number": 6, "sent": "1970-01-02T00:00:00Z"}]"#, mapping)
    #expect(try parcel(5).sent == day && parcel(6).sent == day)
  }

  @Test func `1A.8 useDefaultValueWhenNotPresent`() throws {
    try read(#"[{"number": 1, "weight": 8, "pieces": 8}]"#)
    try read(#"[{"number": 1}]"#)
    #expect(try parcel().weight == 5 && parcel().pieces == 8)
    var mapping = ImportMapping<Parcel>()
    mapping[\.pieces] = AttributeMapping(absent: .useDefault)
    try read(#"[{"number": 1}]"#, mapping)
    #expect(try parcel().pieces == 1)
    mapping[\.pieces] = AttributeMapping(null: .useDefault)
    try read(#"[{"number": 1, "pieces": 8}]"#, mapping)
    try read(#"[{"number": 1, "pieces": null}]"#, mapping)
    #expect(try parcel().pieces == 1)
  }

  @Test func `1A.8 relatedByAttribute (entity)`() throws {
    try read(#"[{"number": 1, "title_text": "Books"}]"#)
    #expect(try read(#"[{"number": 1, "title_text": "Maps"}]"#) == "parcel: 1 updated")
    var mapping = ImportMapping<Parcel>()
    mapping.identity = ["title", "pieces"]
    #expect(try read(#"[{"number": 2, "title_text": "Maps", "pieces": 1}]"#, mapping) == "parcel: 1 updated")
    #expect(try read(#"[{"number": 3, "title_text": "Maps", "pieces": 2}]"#, mapping) == "parcel: 1 inserted")
  }

  @Test func `1A.8 relatedByAttribute (relationship)`() throws {
    try read(#"[{"number": 1, "shop": {"code": "A", "name": "Atlas"}}, {"number": 2, "shop": "A"}]"#)
    #expect(try shops.count() == 1)
    #expect(try parcel(1).shop == "A" && parcel(2).shop == "A")
    // The identity of a depot is its code, and its key is what a parcel holds.
    let depots = factory.runtimeDAO(Depot.self)
    try depots.insert([Depot(code: "1"), Depot(code: "B")])
    try read(
      """
      [{"number": 1, "route": {"depot": {"code": "B", "name": "Brno"}}}, {"number": 2, "route": {"depot": "B"}},
       {"number": 3, "route": {"depot": 2}}]
      """)
    #expect(try parcel(1).depot == 2 && parcel(2).depot == 2 && parcel(3).depot == 3)
    #expect(try depots.findAll(.all.order(by: \.id)).map(\.code) == ["1", "B", "2"] && depots.find(2).name == "Brno")
  }

  @Test func `1A.8 excludeFromImport`() throws {
    try read(#"[{"number": 1, "id": 70}]"#)
    #expect(try parcel().id == 1)
    try read(#"[{"number": 2, "route": {"depot": {"code": "B", "parcels": [{"number": 3}]}}}]"#)
    #expect(try parcels.count() == 2 && parcel(2).depot == 1)
    // Of a relationship to one row, the attribute that holds the key is excluded too.
    try shops.insert(Shop(code: "A"))
    var mapping = ImportMapping<Parcel>()
    mapping[related: "shop"] = .excluded
    try read(#"[{"number": 4, "shop": "A"}]"#, mapping)
    #expect(try parcel(4).shop == "A")
    mapping[\.shop] = .excluded
    try read(#"[{"number": 5, "shop": "A"}]"#, mapping)
    #expect(try parcel(5).shop == nil)
  }

  @Test func `1A.8 distinctAttribute`() throws {
    try read(#"[{"number": 1}]"#)
    #expect(try read(#"[{"number": 1, "note": "a"}]"#) == "parcel: 1 updated")
  }

  @Test func `1A.8 importFromObject:`() throws {
    #expect(try read(#"{"number": 42}"#) == "parcel: 1 inserted")
    #expect(try read(#"{"number": "42", "note": "a"}"#) == "parcel: 1 updated")
    #expect(try read(#"{"number": null}"#) == "parcel: 1 inserted")
    #expect(try read(#"{"number": null}"#) == "parcel: 1 inserted")
    #expect(try parcels.count() == 3)
  }

  @Test func `1A.8 importFromArray:`() throws {
    func feed(_ count: Int) -> String { "[\((1...count).map { #"{"number": \#($0), "note": "a"}"# }.joined(separator: ","))]" }
    func lookups(_ count: Int) throws -> Int {
      let before = printed.texts.count
      #expect(try read(feed(count)) == "parcel: \(count) unchanged")
      return printed.texts[before...].filter { $0.hasPrefix("SELECT") }.count
    }
    try read(feed(10_001))
    #expect(try lookups(10_000) == 1 && lookups(10_001) == 2)
    #expect(try problems(#"[{"number": 30000}, 7]"#) == ["/1"])
  }

  @Test func `1A.8 importValuesForKeysWithObject:`() throws {
    try read(#"{"number": 1, "note": "a", "pieces": 3}"#)
    try read(#"{"number": 1, "note": "b"}"#)
    #expect(try parcel().note == "b" && parcel().pieces == 3)
  }

  @Test func `1A.8 Accepted data`() throws {
    struct Line: Encodable { var number: Int; var note: String }
    try parcels.import(.json(Data(#"[{"number": 1, "note": "a"}]"#.utf8)))
    try parcels.import(.jsonLines(Data("{\"number\": 2, \"note\": \"a\"}\n{\"number\": 3, \"note\": \"a\"}\n".utf8)))
    try parcels.import(.csv(Data("number,note\n4,a\n".utf8)))
    let lines = [Line(number: 5, note: "a")]
    try parcels.import(.values(lines))
    #expect(try parcels.findAll(.where { $0.note == "a" }.order(by: \.number)).map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test func `1A.8 Order of hooks`() throws {
    var mapping = ImportMapping<Parcel>()
    mapping.before { [printed] _ in
      printed.append("before"); return .proceed
    }
    mapping.after(\.note) { [printed] note, _ in
      printed.append("note"); return note
    }
    mapping.after(\.pieces) { [printed] pieces, _ in
      printed.append("pieces"); return pieces
    }
    mapping.before(related: "shop") { [printed] _, _ in
      printed.append("shop"); return .proceed
    }
    mapping.after { [printed] _, _ in printed.append("after") }
    try read(#"[{"note": "a", "shop": "A", "pieces": 2, "number": 1}]"#, mapping)
    #expect(printed.texts.filter { !$0.contains(" ") && $0 != "COMMIT" } == ["before", "pieces", "note", "shop", "after"])
  }

  @Test func `1A.8 shouldImport:`() throws {
    var mapping = ImportMapping<Parcel>()
    mapping.before { record in record["deleted"] == true ? .skip : .proceed }
    #expect(try read(#"[{"number": 1, "deleted": true}, {"number": 2}]"#, mapping) == "parcel: 1 inserted, 1 skipped")
    var shop = ImportMapping<Shop>()
    shop.before { _ in .skip }
    mapping.include(shop)
    try read(#"[{"number": 3, "shop": {"code": "A"}}]"#, mapping)
    #expect(try parcel(3).shop == nil && shops.count() == 0)
  }

  @Test func `1A.8 willImport:`() throws {
    let printed = Printed()
    var mapping = ImportMapping<Parcel>()
    mapping.before { record in
      printed.append("record \(record.number)")
      return .proceed
    }
    try read(#"[{"number": 7}, {"number": 8}]"#, mapping)
    #expect(try printed.texts == ["record 0", "record 1"] && parcels.count() == 2)
  }

  @Test func `1A.8 didImport:`() throws {
    try read(#"[{"number": 1}, {"number": 2, "note": "kept"}]"#)
    let printed = Printed()
    let parcels = parcels
    var mapping = ImportMapping<Parcel>()
    // It has the key, and the store has the row.
    mapping.after { parcel, record in
      let stored = try parcels.find(parcel.id ?? 0)
      printed.append("\(record["number"]?.integer ?? 0) is \(parcel.id ?? 0), with \(stored.weight)")
    }
    let report = try parcels.import(.json(Data(#"[{"number": 9}]"#.utf8)), mapping, deletingAbsent: \.note == nil)
    #expect(report["parcel"].deleted == 1)
    #expect(try parcels.findAll(.all.order(by: \.number)).map(\.number) == [2, 9])
    #expect(printed.texts == ["9 is 3, with 5"])
  }

  @Test func `1A.8 import<Attr>:`() throws {
    var mapping = ImportMapping<Parcel>()
    mapping.after(\.pieces) { pieces, _ in pieces * 2 }
    try read(#"[{"number": 1, "pieces": "4"}]"#, mapping)
    #expect(try parcel().pieces == 8)
  }

  @Test func `1A.8 shouldImport<Rel>:`() throws {
    var mapping = ImportMapping<Parcel>()
    mapping.before(related: "shop") { value, _ in value.isNull ? .skip : .proceed }
    try read(#"[{"number": 1, "shop": "A"}]"#, mapping)
    try read(#"[{"number": 1, "shop": null}]"#, mapping)
    #expect(try parcel().shop == "A")
  }

  @Test func `1A.8 import<Rel>:`() throws {
    var mapping = ImportMapping<Parcel>()
    mapping.instead(related: "shop") { record in record["route.from"] }
    try read(#"[{"number": 1, "route": {"from": "B"}, "shop": "A"}]"#, mapping)
    #expect(try parcel().shop == "B")
  }
}
