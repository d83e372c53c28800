import CriteriaTesting
import DAODifferential
import DAOKit
import Foundation
import Testing

@Suite("What the fuzzer of JSON begins with")
struct JSONCorpusTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The criteria of a corpus, which have to be sound.
  private func criteria(in corpus: String) throws -> [(text: String, entity: EntityDescription, criteria: Criteria)] {
    try FileManager.default.contentsOfDirectory(at: Self.root.appendingPathComponent(corpus), includingPropertiesForKeys: nil).map { file in
      let json = try Data(contentsOf: file)
      let (entity, criteria) = try CriteriaDecoder(allowing: .everything).decode(json, of: Clock.entities)
      return (String(decoding: json, as: UTF8.self), entity, criteria)
    }
  }

  @Test func `every kind of node is there, and each query is read again as it is`() throws {
    var kinds = Kinds()
    for (_, entity, criteria) in try criteria(in: "Fuzz/JSONCorpus") {
      kinds.note(criteria)
      let again = try CriteriaDecoder(allowing: .everything).decode(Data(criteria.json(of: entity).utf8), of: Clock.entities)
      #expect(again.criteria == criteria)
    }
    // A scope is no part of the form, and hundreds of values are more of the same.
    let missing = Set(Kinds.all + ["snippet", "prefetch", "prefetch in an order"]).subtracting(["scope", "among hundreds"] + kinds.found)
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test func `every word of the form is there`() throws {
    let texts = try criteria(in: "Fuzz/JSONCorpus").map(\.text).joined()
    let words = [
      "filter", "compare", "is", "to", "between", "from", "in", "values", "isNull", "like", "contains", "beginsWith", "endsWith", "pattern",
      "caseSensitive", "match", "text", "words", "prefix", "all", "any", "not", "some", "where", "over", "field", "value", "order", "by",
      "direction", "nulls", "project", "term", "group", "as", "having", "distinct", "limit", "offset", "highlight", "snippet", "start",
      "end",
      "ellipsis", "size", "prefetch", "relationship", "digits", "part", "with", "separator", "utcOffset",
    ]
    for word in words { #expect(texts.contains("\"\(word)\":"), "\(word)") }
  }
}
