import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.8 of Documentation/behaviours.md: values and related rows.
@Suite struct MagicalRecordImportValueRowTests: ParcelImporting {
  let factory: DAOFactory

  init() throws { factory = try Self.factory() }

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
