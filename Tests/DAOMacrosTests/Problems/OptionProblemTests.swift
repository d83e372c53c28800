import Testing

@Suite("What @Entity can't map: options")
struct OptionProblemTests {
  @Test(arguments: [
    (".unixSeconds", "Date", "String"), (".iso8601", "Date", "Double"), (".unixMilliseconds", "Date", "Int?"),
    (".scaled(2)", "Decimal", "Double"), (".numeric(2)", "Decimal", "Double"), (".real(2)", "Decimal", "Float"),
    (".decimalText", "Decimal", "Int"), (".uuidText", "UUID", "String"), (".uuidSpelled([.capitals])", "UUID", "Data"),
    (".boolText(\"Y/N\")", "Bool", "Int"), (".uuidBlob", "UUID", "Data"), (".text(.nocase)", "String", "Data?"),
    (".unixSeconds", "Date", "[Date]"),
  ])
  func `a stored form fits the type`(_ option: String, _ owner: String, _ type: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(\(option)) var x: \(type) }", at: option,
      "'\(option.prefix { $0 != "(" })' is a form of \(owner); 'x' is \(type)", fix: "remove '\(option.prefix { $0 != "(" })'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; var x: \(type) }")
  }

  @Test func `an option goes with the comma beside it`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(.uuidText, .unique) var x: Int }", at: ".uuidText",
      "'.uuidText' is a form of UUID; 'x' is Int", fix: "remove '.uuidText'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.unique) var x: Int }")
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(.unique, .uuidText) var x: Int }", at: ".uuidText",
      "'.uuidText' is a form of UUID; 'x' is Int", fix: "remove '.uuidText'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.unique) var x: Int }")
  }

  @Test func `a type of the person's own may be stored as a date is`() {
    #expect(reports(of: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.unixSeconds) var x: Instant }") == [])
  }

  @Test(arguments: [
    (".column(\"a\")", ".column(\"b\")", "an attribute has one column"),
    (".unique", ".indexed", "an attribute has one index; a unique one finds rows too"),
    (".references(\"a\", \"b\")", ".references(\"c\", \"d\")", "an attribute references one column"),
    (".iso8601", ".unixSeconds", "an attribute is stored in one form"),
  ])
  func `options of one kind are not repeated`(_ first: String, _ second: String, _ message: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(\(first), \(second)) var x: Date }", at: second, message,
      fix: "remove '\(second)'", fixed: "@Entity struct Zone { @ID var id: Int64?; @Attribute(\(first)) var x: Date }")
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(\(first)) @Attribute(\(second)) var x: Date }", at: second, message,
      fix: "remove '\(second)'", fixed: "@Entity struct Zone { @ID var id: Int64?; @Attribute(\(first)) var x: Date }")
  }

  @Test func `only text is searchable`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(.searchable, .unique) var x: Int }", at: ".searchable",
      "only text has words to search for; 'x' is Int", fix: "remove '.searchable'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.unique) var x: Int }")
    #expect(reports(of: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.searchable) var x: Title }") == [])
  }

  @Test(arguments: [
    ("", "@ID ", "Int", "the store computes a generated column from the others; a key can't be one"),
    ("", "@ToOne ", "Reference<Zone>", "a @ToOne is written with its row, and nothing writes a generated column"),
    (", .version", "", "Int", "a version is written with its row, and nothing writes a generated column"),
    (", .searchable", "", "String", "the words of a generated column can't be searched"),
    (", .identity", "", "String", "records are found by what they have, and the store computes a generated column"),
  ])
  func `a generated column is nothing that is written`(_ other: String, _ mark: String, _ type: String, _ message: String) {
    let left = other.isEmpty ? "" : "@Attribute(\(other.dropFirst(2))) "
    expectProblem(
      "@Entity struct Zone { @ID var id: Int; \(mark)@Attribute(.generated\(other)) var x: \(type) }", at: ".generated", message,
      fix: "remove '.generated'", fixed: "@Entity struct Zone { @ID var id: Int; \(mark)\(left)var x: \(type) }")
  }

  @Test func `a view has no generated columns`() {
    expectProblem(
      "@Entity(source: .view(definition: nil)) struct Usage { @ID var id: Int; @Attribute(.generated) var x: Int }", at: ".generated",
      "nothing of a view is written, so no column of it is generated", fix: "remove '.generated'",
      fixed: "@Entity(source: .view(definition: nil)) struct Usage { @ID var id: Int; var x: Int }")
  }

  @Test func `options are written out`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(option) var x: Int }", at: "option",
      "@Entity reads the options from the source; write this one out, like '.unique'")
  }

  @Test(arguments: ["scaled", "numeric", "real"], ["19", "-1"])
  func `a scale has 0 to 18 digits`(_ option: String, _ digits: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(.\(option)(\(digits))) var x: Decimal }", at: digits,
      "a decimal has 0 to 18 digits after the point")
  }

  @Test func `only an optional can be set to null`() {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; @Attribute(.references(\"a\", \"b\", onDelete: .nullify)) var x: Int }", at: ".nullify",
      "a delete can't set 'x' to null: it is not optional", fix: "make 'x' optional",
      fixed: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.references(\"a\", \"b\", onDelete: .nullify)) var x: Int? }")
  }
}
