import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.8 of Documentation/behaviours.md.
@Suite struct MagicalRecordImportRowTests {
  private let factory: DAOFactory
  private let printed = Printed()

  init() throws {
    let printed = printed
    factory = try DAOFactory(
      store: .inMemory(), entities: Parcel.self, Shop.self, Tag.self, ParcelTag.self, Node.self, Depot.self,
      trace: { printed.append($0.sql) })
  }

  private var parcels: RuntimeDAO<Parcel> { factory.runtimeDAO(Parcel.self) }
  private var shops: RuntimeDAO<Shop> { factory.runtimeDAO(Shop.self) }

  /// Imports a feed, and returns its report as text.
  @discardableResult
  private func read(_ feed: String, _ mapping: ImportMapping<Parcel> = ImportMapping()) throws -> String {
    "\(try parcels.import(.json(Data(feed.utf8)), mapping))"
  }

  /// The pointers of the problems of a feed, of which nothing is stored.
  private func problems(_ feed: String, _ mapping: ImportMapping<Parcel> = ImportMapping()) throws -> [String] {
    let count = try parcels.count()
    defer { #expect((try? parcels.count()) == count) }
    do {
      try read(feed, mapping)
      return []
    } catch let failure as ImportFailure {
      return failure.problems.map(\.pointer)
    }
  }

  private func parcel(_ number: Int = 1) throws -> Parcel { try #require(try parcels.findFirst(.where { $0.number == number })) }

  private func tags(_ number: Int = 1) throws -> [String] {
    try parcels.find(try #require(try parcel(number).id), prefetch: \.tags).tags.get().map(\.name).sorted()
  }

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

  @Test func `1A.8 Missing key (attribute)`() throws {
    try read(#"[{"number": 1, "note": "a"}]"#)
    #expect(try read(#"[{"number": 1}]"#) == "parcel: 1 unchanged")
    #expect(try parcel().note == "a" && parcel().pieces == 1)
    // The default, which an entity can change.
    var mapping = ImportMapping<Parcel>()
    mapping[\.note] = AttributeMapping(absent: .keep)
    try read(#"[{"number": 1}]"#, mapping)
    #expect(try parcel().note == "a")
    mapping[\.note] = AttributeMapping(absent: .refuse)
    #expect(try problems(#"[{"number": 1}]"#, mapping) == ["/0/note"])
  }

  @Test func `1A.8 null (attribute)`() throws {
    try read(#"[{"number": 1, "note": "a"}]"#)
    try read(#"[{"number": 1, "note": null}]"#)
    #expect(try parcel().note == nil)
    #expect(try problems(#"[{"number": 1, "pieces": null}]"#) == ["/0/pieces"])
    var mapping = ImportMapping<Parcel>()
    mapping[\.note] = AttributeMapping(null: .keep)
    try read(#"[{"number": 1, "note": "b"}]"#, mapping)
    try read(#"[{"number": 1, "note": null}]"#, mapping)
    #expect(try parcel().note == "b")
    mapping[\.note] = AttributeMapping(null: .null)
    try read(#"[{"number": 1, "note": null}]"#, mapping)
    #expect(try parcel().note == nil)
  }

  @Test func `1A.8 Missing key (relationship)`() throws {
    try read(#"[{"number": 1, "shop": "A", "tags": ["red"]}]"#)
    try read(#"[{"number": 1}]"#)
    #expect(try parcel().shop == "A" && tags() == ["red"])
  }

  @Test func `1A.8 null (relationship)`() throws {
    try read(#"[{"number": 1, "shop": "A", "tags": ["red"]}]"#)
    try read(#"[{"number": 1, "shop": null, "tags": null}]"#)
    #expect(try parcel().shop == nil && tags().isEmpty)
    #expect(try problems(#"[{"number": 1, "tags": ["red", null]}]"#) == ["/0/tags/1"])
  }

  @Test func `1A.8 Nested key path`() throws {
    try read(#"[{"number": 1, "sender": {"name": {"last": "Lee"}}, "stamps": [{"place": "Brno"}, {"place": "Praha"}]}]"#)
    #expect(try parcel().sender == "Lee" && parcel().place == "Brno")
    #expect(try !problems(#"[{"number": 1, "sender": {"name": "Lee"}}]"#).isEmpty)
    #expect(try read(#"[{"number": 1, "sender": {"name": null}}]"#) == "parcel: 1 unchanged")
  }

  @Test func `1A.8 To-one, dictionary`() throws {
    try read(#"[{"number": 1, "shop": {"code": "A", "name": "Atlas"}}]"#)
    try read(#"[{"number": 1, "shop": {"code": "A", "name": "Atlas Press"}}]"#)
    #expect(try shops.find("A").name == "Atlas Press")
    var mapping = ImportMapping<Parcel>()
    mapping[related: "shop"] = RelationshipMapping(targets: .upsert)
    try read(#"[{"number": 1, "shop": {"code": "A", "name": "Atlas Press"}}]"#, mapping)
    mapping[related: "shop"] = RelationshipMapping("shop", targets: .link)
    try read(#"[{"number": 2, "shop": {"code": "A", "name": "Other"}}]"#, mapping)
    #expect(try parcel(2).shop == "A" && shops.find("A").name == "Atlas Press")
  }

  @Test func `1A.8 To-one, string/number`() throws {
    try read(#"[{"number": 1, "shop": "A"}, {"number": 2, "shop": 7}]"#)
    #expect(try shops.findAllIDs(.all.order(by: \.code)) == ["7", "A"])
    #expect(try parcel(2).shop == "7")
  }

  @Test func `1A.8 To-many, array`() throws {
    try read(#"[{"number": 1, "tags": ["red", {"name": "blue"}]}]"#)
    try read(#"[{"number": 1, "tags": ["red", "green"]}]"#)
    try read(#"[{"number": 1, "tags": []}]"#)
    #expect(try tags() == ["blue", "green", "red"])
    var mapping = ImportMapping<Parcel>()
    mapping[related: "tags"] = RelationshipMapping(many: .add)
    try read(#"[{"number": 1, "tags": ["green"]}]"#, mapping)
    #expect(try tags() == ["blue", "green", "red"])
    mapping[related: "tags"] = RelationshipMapping("tags", many: .replace)
    try read(#"[{"number": 1, "tags": ["red"]}]"#, mapping)
    #expect(try tags() == ["red"] && factory.runtimeDAO(Tag.self).count() == 3)
    mapping[related: "tags"] = RelationshipMapping("tags", many: .replaceDeletingOrphans)
    try read(#"[{"number": 1, "tags": ["green"]}]"#, mapping)
    #expect(try tags() == ["green"] && !factory.runtimeDAO(Tag.self).exists("red"))
  }

  @Test func `1A.8 To-many, single dict/scalar`() throws {
    try read(#"[{"number": 1, "tags": "red"}, {"number": 2, "tags": {"name": "blue"}}]"#)
    #expect(try tags(1) == ["red"] && tags(2) == ["blue"])
  }

  @Test func `1A.8 To-one, array`() throws {
    #expect(try problems(#"[{"number": 1, "shop": ["A"]}]"#) == ["/0/shop"])
  }

  @Test func `1A.8 Inverse/recursive data`() throws {
    func nested(_ depth: Int) -> Data {
      Data(((1...depth).map { #"{"name": "\#($0)", "parent": "# } + ["null"] + (1...depth).map { _ in "}" }).joined().utf8)
    }
    let nodes = factory.runtimeDAO(Node.self)
    let failure = #expect(throws: ImportFailure.self) { try nodes.import(.json(nested(66))) }
    #expect(failure?.problems.map { $0.pointer.split(separator: "/").count } == [65] && failure?.problems[0].message.contains("64") == true)
    #expect(try nodes.count() == 0)
    // The outer record and 64 within it.
    #expect(try nodes.import(.json(nested(65)))["node"].inserted == 65)
    #expect(try nodes.find("1").parent == "2" && nodes.find("65").parent == nil)
  }

  @Test func `1A.8 Coercion: Date`() throws {
    try read(#"[{"number": 1, "sent": 86400, "paid": "86400000"}, {"number": 2, "sent": 86400.5}]"#)
    #expect(try parcel(1).sent == Date(timeIntervalSince1970: 86_400) && parcel(1).paid == parcel(1).sent)
    #expect(try parcel(2).sent == Date(timeIntervalSince1970: 86_400.5))
    #expect(try problems(#"[{"number": 3, "sent": "yesterday", "paid": true}]"#) == ["/0/sent", "/0/paid"])
    // Digits in a text count where a form is a number, and numbers where not all forms are patterns.
    var mapping = ImportMapping<Parcel>()
    mapping[\.sent] = AttributeMapping(dates: [.unixSeconds])
    mapping[\.paid] = AttributeMapping(dates: [.unixMilliseconds])
    try read(#"[{"number": 4, "sent": "86400", "paid": 86400000}]"#, mapping)
    #expect(try parcel(4).sent == parcel(1).sent && parcel(4).paid == parcel(1).sent)
    mapping[\.sent] = AttributeMapping(dates: [.pattern("dd.MM.yyyy")])
    #expect(try problems(#"[{"number": 5, "sent": 86400}]"#, mapping) == ["/0/sent"])
    #expect(try problems(#"[{"number": 5, "sent": "86400"}]"#) == ["/0/sent"])
  }

  @Test func `1A.8 Coercion: integers, Decimal, Double, Float`() throws {
    try read(
      #"[{"number": 1, "pieces": "9223372036854775807", "price": "0.1", "length": "2.5"}, {"number": 2, "price": 12345678901234567.89}]"#)
    #expect(try parcel(1).pieces == .max && parcel(1).price == Decimal(string: "0.1") && parcel(1).length == 2.5)
    #expect(try parcel(2).price == Decimal(string: "12345678901234567.89"))
    #expect(
      try problems(#"[{"number": 3, "pieces": 9223372036854775808, "length": "12abc", "price": "abc"}]"#)
        == ["/0/pieces", "/0/price", "/0/length"])
    #expect(try problems(#"[{"number": 3, "pieces": 1.5}]"#) == ["/0/pieces"])
  }

  @Test func `1A.8 Coercion: Bool`() throws {
    try read(#"[{"number": 1, "isFragile": "YES"}, {"number": 2, "isFragile": 0}, {"number": 3, "isFragile": "off"}]"#)
    #expect(try (1...3).map { try parcel($0).isFragile } == [true, false, false])
    #expect(try problems(#"[{"number": 4, "isFragile": "maybe"}]"#) == ["/0/isFragile"])
    try read(#"[{"number": 5, "isFragile": 1}]"#)
    #expect(try parcel(5).isFragile == true)
    for number in ["2", "-1", "0.5"] { #expect(try problems(#"[{"number": 6, "isFragile": \#(number)}]"#) == ["/0/isFragile"]) }
  }

  @Test func `1A.8 Coercion: String`() throws {
    try read(#"[{"number": 1, "note": 1.50}, {"number": 2, "note": true}]"#)
    #expect(try parcel(1).note == "1.50" && parcel(2).note == "true")
    #expect(try problems(#"[{"number": 3, "note": [1], "sender_name": {"a": 1}}]"#) == ["/0/note", "/0/sender_name"])
  }

  @Test func `1A.8 Coercion: Data/Transformable`() throws {
    try read(#"[{"number": 1, "label": "AQID"}]"#)
    #expect(try parcel().label == Data([1, 2, 3]))
    #expect(try problems(#"[{"number": 2, "label": "%%%"}]"#) == ["/0/label"])
  }
}
