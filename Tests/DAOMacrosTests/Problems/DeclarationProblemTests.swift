import Testing

@Suite("What @Entity can't map: the declaration")
struct DeclarationProblemTests {
  @Test func `a class can become a struct`() {
    expectProblem(
      """
      @Entity
      public final class Zone {
        @ID var id: Int64?
      }
      """,
      at: "class Zone", "an entity is a value: @Entity maps structs, not classes", fix: "change 'class' to 'struct'",
      fixed: """
        @Entity
        public struct Zone {
          @ID var id: Int64?
        }
        """)
  }

  @Test(arguments: [
    "class Zone: Base { @ID var id: Int64? }", "class Zone { @ID var id: Int64?; deinit {} }", "open class Zone { @ID var id: Int64? }",
  ])
  func `a class that shows why it is one has no fix-it`(_ source: String) {
    let found = reports(of: "@Entity \(source)")
    #expect(found.map(\.message) == ["an entity is a value: @Entity maps structs, not classes"])
    #expect(found.first?.place.hasPrefix("class Zone") == true)
    #expect(found.first?.fix == nil)
  }

  @Test(arguments: ["enum", "actor", "protocol"])
  func `only a struct can be an entity`(_ keyword: String) {
    expectProblem("@Entity public \(keyword) Zone {}", at: "\(keyword) Zone", "an entity is a value: @Entity maps structs only")
  }

  @Test func `a generic struct can't be an entity`() {
    expectProblem(
      "@Entity struct Zone<T> { @ID var id: Int64? }", at: "<T>",
      "a generic type can't be an entity: there would be one description for many types")
  }

  @Test(arguments: [("Entity", "entity"), ("Fields", "fields"), ("PrimaryKey", "primaryKey"), ("`Fields`", "fields")])
  func `the names of the macro's own types can't be a struct's`(_ name: String, entity: String) {
    let plain = name.filter { $0 != "`" }
    expectProblem(
      "@Entity struct \(name) { @ID var id: Int64? }", at: "\(name) {",
      "the code of @Entity has a type called \(plain): give the struct another name; @Entity(\"\(entity)\") keeps the entity's name")
    expectProblem(
      "@Entity(\"acre\") struct \(name) { @ID var id: Int64? }", at: "\(name) {",
      "the code of @Entity has a type called \(plain): give the struct another name")
  }

  @Test func `an entity can't be nested in a generic type`() {
    expectProblem(
      "struct Box<T> { @Entity struct Zone { @ID var id: Int64? } }", at: "Zone {",
      "an entity can't be nested in a generic type: there would be one description for many types")
  }

  @Test func `a nested entity can't be private`() {
    expectProblem(
      "enum Clock { @Entity private struct Zone { @ID var id: Int64? } }", at: "private struct",
      "a nested entity can't be private: its conformance stands outside the enclosing type", fix: "change 'private' to 'fileprivate'",
      fixed: "enum Clock { @Entity fileprivate struct Zone { @ID var id: Int64? } }")
  }

  @Test func `a private entity at the top of a file is fine`() {
    #expect(reports(of: "@Entity private struct Zone { @ID var id: Int64? }") == [])
  }

  @Test func `a mark outside an entity says nothing`() {
    expectProblem(
      "struct Zone { @ID var id: Int64? }", at: "@ID", "@ID belongs on a stored property of an @Entity struct", fix: "remove '@ID'",
      fixed: "struct Zone { var id: Int64? }")
  }

  @Test(arguments: ["static var x: Int = 0", "var x: Int { 3 }", "func x() {}", "struct X {}"])
  func `a mark on something else than a stored property says nothing`(_ member: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(.unique) \(member) }", at: "@Attribute",
      "@Attribute belongs on a stored property of an @Entity struct", fix: "remove '@Attribute(.unique)'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; \(member) }")
  }

  @Test func `all problems are reported at once, each at its token`() {
    let found = reports(
      of: """
        @Entity(indexes: [Index(on: "nam")])
        final class Zone<T> {
          var id: Int64?
          @Attribute(.unixSeconds) var name: String
          let constant: Int = 3
          lazy var late: Int = 3
          var pair: (Int, Int)
          var guessed = 3
          @Attribute(.column("name")) var other: Int
        }
        """)
    #expect(
      found.map(\.place) == [
        "class Zone<T> {", "<T> {", ".unixSeconds) var name: String", "let constant: Int = 3", "lazy var late: Int = 3", "(Int, Int)",
        "guessed = 3", "Zone<T> {", "\"name\")) var other: Int", "\"nam\")])",
      ])
  }
}
