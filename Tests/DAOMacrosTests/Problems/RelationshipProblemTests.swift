import Testing

@Suite("What @Entity can't map: relationships")
struct RelationshipProblemTests {
  private func entity(_ members: String) -> String { "@Entity struct Zone { @ID var id: Int64?; \(members) }" }

  private func expectProblem(
    _ member: String, at place: String, _ message: String, fix: String? = nil, fixed: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    DAOMacrosTests.expectProblem(
      entity(member), at: place, message, fix: fix, fixed: fixed.map(entity), sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "@ToOne var country: Reference<Country>", "@ToOne(onDelete: .nullify) var country: DAOKit.Reference<Country>?",
    "@ToOne(onDelete: .cascade) @Attribute(.column(\"c\"), .unique) var country: Optional<Reference<Country>>",
    "@ToMany(\\Reports.Use.zone) var uses: Many<Reports.Use>", "@ToMany(\\Use.zone) var uses: Many<Reports.Use> = Many()",
    "@ManyToMany(by: \\Pair.zone, to: \\Pair.tag) private var tags: Many<Tag>",
  ])
  func `these are fine`(_ member: String) { #expect(reports(of: entity(member)) == []) }

  @Test func `a reference is marked`() {
    expectProblem(
      "var country: Reference<Country>?", at: "Reference<Country>?",
      "'country' refers to another entity; @ToOne makes a relationship of it", fix: "add '@ToOne'",
      fixed: "@ToOne var country: Reference<Country>?")
  }

  @Test func `a many says which rows are its own`() {
    expectProblem(
      "var uses: Many<Use>", at: "Many<Use>",
      "'uses' doesn't say which rows are its own: @ToMany(\\Use.…), or @ManyToMany where pairs are between")
  }

  @Test(arguments: [("Country", "Reference<Country>"), ("Country?", "Reference<Country>?"), ("Reports.Use", "Reference<Reports.Use>")])
  func `to one keeps a reference`(_ type: String, _ right: String) {
    expectProblem(
      "@ToOne var country: \(type)", at: type, "@ToOne keeps a Reference; 'country' is \(type)", fix: "change the type to '\(right)'",
      fixed: "@ToOne var country: \(right)")
  }

  @Test(arguments: ["String", "Many<Country>", "[Country]"])
  func `to one of another type has no fix-it`(_ type: String) {
    expectProblem("@ToOne var country: \(type)", at: type, "@ToOne keeps a Reference; 'country' is \(type)")
  }

  @Test func `to many fills a many`() {
    expectProblem(
      "@ToMany(\\Use.zone) var uses: [Use]", at: "[Use]", "@ToMany fills a Many; 'uses' is [Use]", fix: "change the type to 'Many<Use>'",
      fixed: "@ToMany(\\Use.zone) var uses: Many<Use>")
    expectProblem(
      "@ManyToMany(by: \\Pair.zone, to: \\Pair.tag) var tags: Set<Tag>", at: "Set<Tag>", "@ManyToMany fills a Many; 'tags' is Set<Tag>")
  }

  @Test func `a mapping of a reference belongs to its relationship`() {
    expectProblem(
      "@ToOne @Attribute(.mapped(\"land\")) var country: Reference<Country>", at: ".mapped(\"land\")",
      "records hold the other row: @ToOne(mapping: \"land\")", fix: "remove '.mapped(\"land\")'",
      fixed: "@ToOne var country: Reference<Country>")
    expectProblem(
      "@Attribute(.mapped(\"a\"), .mapped(\"b\")) var name: String", at: ".mapped(\"b\")",
      "an attribute has one mapping, with all its paths in a list", fix: "remove '.mapped(\"b\")'",
      fixed: "@Attribute(.mapped(\"a\")) var name: String")
  }

  @Test(arguments: [("@ToOne", "Reference<Country>"), ("@ToMany(\\Use.zone)", "Many<Use>")])
  func `what takes rows is a variable`(_ mark: String, _ type: String) {
    expectProblem(
      "\(mark) let x: \(type)", at: "let", "'x' takes rows that are fetched, so it can't be a constant", fix: "change 'let' to 'var'",
      fixed: "\(mark) var x: \(type)")
  }

  @Test func `a many is not optional`() {
    expectProblem(
      "@ToMany(\\Use.zone) var uses: Many<Use>?", at: "Many<Use>?",
      "'uses' is there whether its rows are fetched or not, so it is not optional", fix: "change the type to 'Many<Use>'",
      fixed: "@ToMany(\\Use.zone) var uses: Many<Use>")
  }

  @Test func `only an optional reference can be set to null`() {
    expectProblem(
      "@ToOne(onDelete: .nullify) var country: Reference<Country>", at: ".nullify",
      "a delete can't set 'country' to null: it is not optional", fix: "make 'country' optional",
      fixed: "@ToOne(onDelete: .nullify) var country: Reference<Country>?")
  }

  @Test func `a to one references once`() {
    expectProblem(
      "@ToOne @Attribute(.column(\"c\"), .references(\"a\", \"b\")) var country: Reference<Country>", at: ".references",
      "a @ToOne references the key of Country already", fix: "remove '.references(\"a\", \"b\")'",
      fixed: "@ToOne @Attribute(.column(\"c\")) var country: Reference<Country>")
  }

  @Test(arguments: ["@ID", "@Attribute(.unique)", "@ToOne"])
  func `a many has no column`(_ mark: String) {
    let name = mark.prefix { $0 != "(" }
    expectProblem(
      "@ToMany(\\Use.zone) \(mark) var uses: Many<Use>", at: mark, "@ToMany has no column, so \(name) says nothing",
      fix: "remove '\(mark)'", fixed: "@ToMany(\\Use.zone) var uses: Many<Use>")
  }

  @Test func `a transient property is no relationship`() {
    expectProblem(
      "@Transient @ToOne var country: Reference<Country>?", at: "@ToOne", "a transient property is no attribute, so @ToOne says nothing",
      fix: "remove '@ToOne'", fixed: "@Transient var country: Reference<Country>?")
  }

  @Test(arguments: ["path", "\\.zone", "\\Use.zones[0]", "\\Use.zone?.id"])
  func `key paths are written out`(_ path: String) {
    expectProblem(
      "@ToMany(\(path)) var uses: Many<Use>", at: path,
      "@Entity reads the key path from the source; write it out with its entity, like '\\Transition.zone'")
  }

  @Test func `a to many names the attribute`() {
    for mark in ["@ToMany", "@ToMany()"] {
      expectProblem(
        "\(mark) var uses: Many<Use>", at: mark, "which attribute of Use has the key of this entity? @ToMany(\\Use.…)")
    }
  }

  @Test func `the attribute is one of the row's entity`() {
    expectProblem(
      "@ToMany(\\Transition.zone) var uses: Many<Use>", at: "\\Transition.zone",
      "'\\Transition.zone' is of Transition, and 'uses' holds Many<Use>",
      fix: "change the type to 'Many<Transition>'", fixed: "@ToMany(\\Transition.zone) var uses: Many<Transition>")
    expectProblem(
      "@ManyToMany(by: \\Pair.zone, to: \\Other.tag) var tags: Many<Tag>", at: "\\Other.tag",
      "the attributes are of one entity; this is of Other, and not of Pair")
  }

  @Test(arguments: ["@ToOne", "@ToMany(\\Use.zone)", "@ManyToMany(by: \\Pair.zone, to: \\Pair.tag)"])
  func `a mark outside an entity says nothing`(_ mark: String) {
    DAOMacrosTests.expectProblem(
      "struct Zone { \(mark) var x: Int }", at: mark, "\(mark.prefix { $0 != "(" }) belongs on a stored property of an @Entity struct",
      fix: "remove '\(mark)'", fixed: "struct Zone { var x: Int }")
  }
}
