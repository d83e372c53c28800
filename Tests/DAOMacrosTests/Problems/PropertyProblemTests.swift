import Testing

@Suite("What @Entity can't map: properties")
struct PropertyProblemTests {
  @Test func `a constant with a value can't be read back`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; let offset: Int = 3 }", at: "let offset",
      "'offset' is a constant that has its value already, so no row can fill it", fix: "change 'let' to 'var'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; var offset: Int = 3 }")
  }

  @Test func `a constant without a value is read from the row`() {
    #expect(reports(of: "@Entity struct Zone { @ID let code: String; let offset: Int }") == [])
  }

  @Test func `a lazy property can be left out`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; lazy var offset: Int = 3 }", at: "lazy", "a lazy property can't be read from a row",
      fix: "add '@Transient'", fixed: "@Entity struct Zone { @ID var id: Int64?; @Transient lazy var offset: Int = 3 }")
  }

  @Test(arguments: [("3", "Int"), ("-3", "Int"), ("2.5", "Double"), ("-2.5", "Double"), ("true", "Bool"), ("\"a\"", "String")])
  func `a property takes its type from a literal`(_ value: String, _ type: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; var x = \(value) }", at: "x =",
      "'x' needs a written type: @Entity doesn't see the one that the compiler infers", fix: "add the type ': \(type)'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; var x: \(type) = \(value) }")
  }

  @Test(arguments: ["Date()", "[1]", "nil as Int?", "\"\\(a)\""])
  func `a property whose type only the compiler knows has no fix-it`(_ value: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; var x = \(value) }", at: "x =",
      "'x' needs a written type: @Entity doesn't see the one that the compiler infers")
  }

  @Test func `a value ends the reach of the type that follows`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; var a = 1, b: Int }", at: "a = 1",
      "'a' needs a written type: @Entity doesn't see the one that the compiler infers", fix: "add the type ': Int'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; var a: Int = 1, b: Int }")
  }

  @Test func `a pattern is no attribute`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; var (a, b): (Int, Int) }", at: "(a, b)",
      "@Entity maps properties one by one; give each its own name and type")
  }

  @Test(arguments: [
    ("(Int, Int)", "is a tuple"), ("()", "is a tuple"), ("() -> Void", "is a function"), ("(@Sendable (Int) -> Int)?", "is a function"),
    ("Any", "is an existential or opaque type"), ("any Error", "is an existential or opaque type"),
    ("Hashable & Sendable", "is an existential or opaque type"), ("Int.Type", "is a metatype"),
    ("Int??", "has two kinds of nil; a column has one null"), ("Optional<Int?>", "has two kinds of nil; a column has one null"),
  ])
  func `a type that no column can hold is named`(_ type: String, _ obstacle: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; var x: \(type) }", at: type, "'\(type)' \(obstacle), and no attribute can hold it")
  }

  @Test func `a value of such a type can be left out`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; var x: (Int, Int) = (1, 2) }", at: "(Int, Int)",
      "'(Int, Int)' is a tuple, and no attribute can hold it", fix: "add '@Transient'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Transient var x: (Int, Int) = (1, 2) }")
  }

  @Test func `types of the person's own are left to the compiler`() {
    #expect(reports(of: "@Entity struct Zone { @ID var id: Key; var x: Outer.Inner<Int>?, y: Own }") == [])
  }

  @Test func `a transient property needs a value`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Transient var x: Int }", at: "x: Int",
      "a transient property needs an initial value: no row has one for it")
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Transient let x: Int? }", at: "x: Int?",
      "a transient property needs an initial value: no row has one for it")
  }

  @Test func `an optional variable and a wrapped one bring theirs`() {
    #expect(reports(of: "@Entity struct Zone { @ID var id: Int64?; @Transient var x: Int?; @Transient @Cached var y: Int }") == [])
  }

  @Test func `a transient property is no key`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @ID @Transient var x: Int = 0 }", at: "@ID @Transient",
      "a transient property is no attribute, so @ID says nothing", fix: "remove '@ID'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Transient var x: Int = 0 }")
  }

  @Test func `a transient property has no options`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Transient @Attribute(.unique) var x: Int = 0 }", at: "@Attribute",
      "a transient property is no attribute, so @Attribute says nothing", fix: "remove '@Attribute(.unique)'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Transient var x: Int = 0 }")
  }

  @Test func `properties under a condition can't be counted`() {
    expectProblem(
      """
      @Entity struct Zone {
        @ID var id: Int64?
        #if DEBUG
        var x: Int
        #endif
      }
      """,
      at: "#if", "@Entity can't tell whether the properties under '#if' are there; move them out")
  }

  @Test func `methods under a condition are no concern`() {
    #expect(
      reports(
        of: """
          @Entity struct Zone {
            @ID var id: Int64?
            #if DEBUG
            func x() {}
            var y: Int { 3 }
            #endif
          }
          """) == [])
  }

  @Test func `the name of the key itself is taken`() {
    expectProblem(
      "@Entity struct Zone { @ID var primaryKey: Int64? }", at: "primaryKey",
      "every entity has a 'primaryKey' of its own; name the property otherwise and add @Attribute(.column(\"primaryKey\"))")
  }
}
