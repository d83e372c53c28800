import CriteriaTesting
import DAOCriteria
import Foundation
import Testing

/// Paths into JSON attributes, in criteria that are JSON themselves.
@Suite("Paths into JSON, in criteria as JSON")
struct JSONPathTests {
  private static let depot = EntityDescription(
    "depot", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("details", .json)])
  private static let parcel = EntityDescription(
    "parcel", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("label", .text), Attribute("details", .json), Attribute("depotID", .integer)],
    relationships: [.toOne("depot", depot, by: "depotID")])

  private func read(_ filter: String, allowing list: CriteriaDecoder.AllowList = .everything) throws -> Criteria.Condition {
    let text = #"{"version":1,"entity":"parcel","filter":\#(filter)}"#
    return try CriteriaDecoder(allowing: list).decode(Data(text.utf8), of: [Self.parcel, Self.depot]).criteria.filter
  }

  private func refused(
    _ filter: String, _ expected: String..., allowing list: CriteriaDecoder.AllowList = .everything,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(problems { _ = try read(filter, allowing: list) } == expected, sourceLocation: sourceLocation)
  }

  @Test func `what is wrong has its place`() {
    refused(#"{"isNull":{"jsonText":"details"}}"#, "$.filter.isNull: lacks 'path', which 'jsonText' needs")
    refused(
      #"{"isNull":{"jsonInteger":"detials","path":[]}}"#,
      "$.filter.isNull.jsonInteger: parcel has no attribute 'detials'; did you mean 'details'?",
      "$.filter.isNull.path: has 0 steps; 1 to 32 are allowed")
    refused(
      #"{"isNull":{"jsonReal":"label","path":["a",-1,1.5,null,9223372036854775808]}}"#,
      "$.filter.isNull.jsonReal: is text, and a path leads only into JSON",
      "$.filter.isNull.path[1]: expects a key, or a place that counts from 0, not -1",
      "$.filter.isNull.path[2]: expects a key, or a place that counts from 0, not 1.5",
      "$.filter.isNull.path[3]: expects a key, or a place that counts from 0, not null",
      "$.filter.isNull.path[4]: expects a key, or a place that counts from 0, not 9223372036854775808")
    refused(
      #"{"isNull":{"jsonBool":{"lower":"details"},"path":"a"}}"#,
      "$.filter.isNull.jsonBool: is text, and a path leads only into JSON",
      "$.filter.isNull.path: expects a list, not the text \"a\"")
    let many = Array(repeating: #""a""#, count: 33).joined(separator: ",")
    refused(#"{"isNull":{"jsonBool":"details","path":[\#(many)]}}"#, "$.filter.isNull.path: has 33 steps; 1 to 32 are allowed")
    refused(
      #"{"compare":{"jsonInteger":"details","path":["a"]},"is":"==","to":{"value":"x"}}"#,
      "$.filter.to.value: expects integer, not the text \"x\"")
  }

  @Test func `any term that is JSON has the form of a term`() throws {
    let details = Criteria.Term.field(FieldPath("details"))
    #expect(
      try read(#"{"isNull":{"jsonText":{"coalesce":["details",{"value":"{}"}]},"path":["a"]}}"#)
        == .isNull(.json(.function(.coalesce, [details, .value("{}")]), ["a"], as: .text)))
    #expect(
      try read(#"{"isNull":{"jsonText":{"max":"details"},"path":["a"]}}"#) == .isNull(.json(.aggregate(.max, details), ["a"], as: .text)))
    #expect(try read(#"{"isNull":{"jsonText":{"field":"details"},"path":["a"]}}"#) == .isNull(.json(details, ["a"], as: .text)))
    #expect(try read(#"{"isNull":{"jsonText":{"value":"[1]"},"path":[0]}}"#) == .isNull(.json(.value("[1]"), [0], as: .text)))
    refused(#"{"isNull":{"jsonText":{"value":7},"path":[0]}}"#, "$.filter.isNull.jsonText.value: expects JSON, not 7")
    refused(#"{"isNull":{"jsonText":["details"],"path":[0]}}"#, "$.filter.isNull.jsonText: expects a term, not a list")
  }

  @Test func `the list of what is allowed says which attributes are read, and as what`() throws {
    let filter = #"{"isNull":{"jsonText":"details","path":["a"]}}"#
    let list = CriteriaDecoder.AllowList(["parcel": ["details", "label"]], functions: [.jsonText, .lower])
    #expect(try read(filter, allowing: list) == .isNull(.json(.field(FieldPath("details")), ["a"], as: .text)))
    refused(
      filter, "$.filter.isNull.jsonText: parcel has no attribute 'details'", allowing: CriteriaDecoder.AllowList(["parcel": ["label"]]))
    refused(
      #"{"isNull":{"jsonReal":"details","path":["a"]}}"#, "$.filter.isNull: there is no function 'jsonReal' here",
      allowing: list)
    refused(
      #"{"isNull":{"jsonText":"depot.details","path":["a"]}}"#, "$.filter.isNull.jsonText: parcel has no relationship 'depot'",
      allowing: list)
  }

  @Test func `written and read again, with odd keys and names of before`() throws {
    let steps: [JSONStep] = ["", "a.b", "\0", "e\u{301}", "*", 0, 12, "0"]
    for type in [AttributeType.text, .integer, .real, .bool] {
      let entity = EntityDescription(
        "page", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a.b", .json, renamedFrom: ["old"])])
      var criteria = Criteria()
      criteria.orders = [Criteria.Ordering(.json(.field(.root.appending("a.b")), steps, as: type), .descending)]
      let text = try criteria.json(of: entity)
      #expect(text.contains(#""path":["","a.b","\u0000","é","*",0,12,"0"]"#), "\(text)")
      let decoder = CriteriaDecoder(allowing: .everything)
      let read = try decoder.decode(Data(text.utf8), of: [entity]).criteria
      #expect(read == criteria && read.hashValue == criteria.hashValue)
      let old = text.replacingOccurrences(of: #":{"field":["a.b"]}"#, with: #":"old""#)
      #expect(old.contains(#""old""#), "\(old)")
      #expect(try decoder.decode(Data(old.utf8), of: [entity]).criteria == criteria)
    }
    // Keys that look alike are others.
    #expect(
      Criteria.Term.json(.field(FieldPath("a")), ["e\u{301}"], as: .text)
        != Criteria.Term.json(.field(FieldPath("a")), ["\u{E9}"], as: .text)
        && Criteria.Term.json(.field(FieldPath("a")), ["0"], as: .text) != Criteria.Term.json(.field(FieldPath("a")), [0], as: .text))
  }
}
