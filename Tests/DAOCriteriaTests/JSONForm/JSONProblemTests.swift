import CriteriaTesting
import DAOCriteria
import Foundation
import Testing

@Suite("Problems of criteria in JSON")
struct JSONProblemTests {
  private func refused(
    _ json: String, _ expected: String..., allowing list: CriteriaDecoder.AllowList = .everything,
    limits: CriteriaDecoder.Limits = CriteriaDecoder.Limits(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(problems { _ = try decoded(json, allowing: list, limits: limits) } == expected, sourceLocation: sourceLocation)
  }

  @Test func `the whole`() {
    refused("[]", "$: expects an object, not a list")
    refused("{}", "$: lacks 'version', which a query needs", "$: lacks 'entity', which a query needs")
    refused(#"{"version":"1","entity":"zone"}"#, #"$.version: expects a version like 1, not the text "1""#)
    refused(#"{"version":0,"entity":"zone"}"#, "$.version: expects a version like 1, not 0")
    refused(#"{"version":1,"entity":"zome"}"#, "$.entity: there is no entity 'zome' here; did you mean 'zone'?")
    refused(#"{"version":1,"entity":"country"}"#, "$.entity: there is no entity 'country' here")
    refused(#"{"version":1,"entity":["zone"]}"#, "$.entity: expects the name of an entity, not a list")
    refused(
      #"{"version":1,"entity":"zone","fliter":true,"limit":-1,"offset":1.5,"distinct":1,"order":{},"filter":null}"#,
      "$.fliter: is nothing that a query has; did you mean 'filter'?", "$.filter: expects a condition, not null",
      "$.order: expects a list, not an object", "$.distinct: expects true or false, not 1", "$.limit: expects a number of rows, not -1",
      "$.offset: expects a number of rows, not 1.5")
    refused(
      #"{"version":1,"entity":"zone","order":[{},{"by":"name","direction":"up","nulls":"Last"},"name"],"project":[{"term":"nam","as":1}]}"#,
      "$.order[0]: lacks 'by', which an order needs", "$.order[1].direction: expects one of 'ascending', 'descending', not the text \"up\"",
      "$.order[1].nulls: expects one of 'first', 'last', not the text \"Last\"; did you mean 'last'?",
      "$.order[2]: expects an order, an object, not the text \"name\"",
      "$.project[0].term: zone has no attribute 'nam'; did you mean 'name'?", "$.project[0].as: expects a text, not 1")
  }

  @Test func `a later version is an error of its own that names both, whatever else is new in it`() {
    do {
      _ = try decoded(#"{"version":2,"entity":"zone","filters":[{"what":"ever"}]}"#)
      Issue.record("it was read")
    } catch DAOError.newerCriteria(let version, let supported) { #expect(version == 2 && supported == 1) } catch { Issue.record(error) }
  }

  @Test func `conditions`() {
    refused(
      json(filter: #"{"all":[{"isNul":"name"},{"is":"=="},1,{}]}"#),
      "$.filter.all[0]: is not a condition: \(Self.kinds); did you mean 'isNull'?",
      "$.filter.all[1]: is not a condition: \(Self.kinds); did you mean 'in'?", "$.filter.all[2]: expects a condition, not 1",
      "$.filter.all[3]: is not a condition: \(Self.kinds)")
    refused(
      json(
        filter:
          #"{"any":[{"isNull":"name","not":true},{"compare":"name","is":"=","values":[]},{"like":"name","pattern":1,"caseSensitiv":0}]}"#),
      "$.filter.any[0].not: is nothing that 'isNull' has", "$.filter.any[1].values: is nothing that 'compare' has",
      "$.filter.any[1]: lacks 'to', which 'compare' needs",
      "$.filter.any[1].is: expects one of '!=', '<', '<=', '==', '>', '>=', not the text \"=\"; did you mean '!='?",
      "$.filter.any[2].caseSensitiv: is nothing that 'like' has; did you mean 'caseSensitive'?",
      "$.filter.any[2].pattern: expects a text, not 1")
    refused(json(filter: #"{"in":"name","values":"SK"}"#), "$.filter.values: expects a list, not the text \"SK\"")
    refused(
      json(filter: #"{"in":"standardOffset","values":[1,"2",null,1.5]}"#), "$.filter.values[1]: expects integer, not the text \"2\"",
      "$.filter.values[3]: expects an integer of 64 bits, not 1.5")
    refused(json(filter: #"{"all":true}"#), "$.filter.all: expects a list, not true")
    refused(json(filter: #"{"some":"transitoins"}"#), "$.filter.some: zone has no relationship 'transitoins'; did you mean 'transitions'?")
    refused(json(filter: #"{"some":""}"#), "$.filter.some: expects the name of a relationship")
    refused(json(filter: #"{"some":[]}"#), "$.filter.some: expects the name of a relationship")
    refused(json(filter: #"{"some":"name"}"#), "$.filter.some: zone has no relationship 'name'")
    refused(
      json(filter: #"{"some":"transitions","where":{"isNull":"name"}}"#),
      "$.filter.where.isNull: transition has no attribute 'name'")
  }

  private static let kinds =
    """
    it has none of 'all', 'any', 'beginsWith', 'between', 'compare', 'contains', \
    'endsWith', 'in', 'isNull', 'like', 'match', 'not', 'some'
    """

  @Test func `searches`() {
    refused(json(filter: #"{"match":"name"}"#), "$.filter: lacks 'text', which 'match' needs")
    refused(
      json(filter: #"{"match":"nam","text":1,"words":"al","prefix":"x"}"#), "$.filter.text: expects a text, not 1",
      "$.filter.words: expects one of 'all', 'any', 'phrase', not the text \"al\"; did you mean 'all'?",
      "$.filter.prefix: expects true or false, not the text \"x\"",
      "$.filter.match: zone has no attribute 'nam'; did you mean 'name'?")
    refused(
      #"{"version":1,"entity":"zone","project":[{"term":{"highlight":"name","text":"x","end":""}}]}"#,
      "$.project[0].term: lacks 'start', which 'highlight' needs")
    refused(
      #"{"version":1,"entity":"zone","project":[{"term":{"snippet":"name","text":"x","start":"","end":"","ellipsis":"","size":65}}]}"#,
      "$.project[0].term.size: expects a number of words from 1 to 64, not 65")
    let list = CriteriaDecoder.AllowList(["zone": ["name"]])
    refused(json(filter: #"{"match":"comment","text":"x"}"#), "$.filter.match: zone has no attribute 'comment'", allowing: list)
    refused(json(filter: #"{"match":"*","text":"x"}"#), "$.filter.match: can't search all of zone here; name an attribute", allowing: list)
    #expect(throws: Never.self) { try decoded(json(filter: #"{"match":"name","text":"x"}"#), allowing: list) }
  }

  @Test func `terms`() {
    refused(
      json(filter: #"{"isNull":"standardOfset"}"#), "$.filter.isNull: zone has no attribute 'standardOfset'; did you mean 'standardOffset'?"
    )
    refused(json(filter: #"{"isNull":"country.nme"}"#), "$.filter.isNull: country has no attribute 'nme'; did you mean 'name'?")
    refused(json(filter: #"{"isNull":"contry.name"}"#), "$.filter.isNull: zone has no relationship 'contry'; did you mean 'country'?")
    refused(json(filter: #"{"isNull":{"field":[]}}"#), "$.filter.isNull.field: zone has no attribute ''")
    refused(json(filter: #"{"isNull":{"field":["name",1]}}"#), "$.filter.isNull.field[1]: expects a text, not 1")
    refused(json(filter: #"{"isNull":{"field":1}}"#), "$.filter.isNull.field: expects a name, or a list of names, not 1")
    refused(json(filter: #"{"isNull":3}"#), "$.filter.isNull: expects a term, not 3")
    refused(
      json(filter: #"{"isNull":{"lower":"nam","over":"x"}}"#),
      "$.filter.isNull.over: is nothing that 'lower' has", "$.filter.isNull.lower: zone has no attribute 'nam'; did you mean 'name'?")
    refused(json(filter: #"{"isNull":{"coalesce":"name"}}"#), "$.filter.isNull.coalesce: expects a list of terms, not the text \"name\"")
    refused(json(filter: #"{"isNull":{"coalesce":[]}}"#), "$.filter.isNull.coalesce: expects a list of terms, not an empty one")
    refused(
      json(filter: #"{"isNull":{"count":"*","where":true}}"#),
      "$.filter.isNull.where: needs an 'over', the relationship whose rows it is about")
    refused(
      json(filter: #"{"isNull":{"max":"name","over":"transitions","where":{"isNull":"nam"}}}"#),
      "$.filter.isNull.max: transition has no attribute 'name'",
      "$.filter.isNull.where.isNull: transition has no attribute 'nam'")
    refused(
      json(filter: #"{"compare":{"lower":{"value":1}},"is":"==","to":{"coalesce":["standardOffset",{"value":"x"}]}}"#),
      "$.filter.compare.lower.value: expects text, not 1", "$.filter.to.coalesce[1].value: expects integer, not the text \"x\"")
    refused(
      json(filter: #"{"between":{"value":"a"},"from":"standardOffset","to":{"value":1.5}}"#),
      "$.filter.between.value: expects integer, not the text \"a\"", "$.filter.to.value: expects an integer of 64 bits, not 1.5")
  }

  @Test func `a member that stands twice is a problem wherever it is`() {
    refused(#"{"version":1,"entity":"zone","entity":"zone"}"#, "$.entity: stands twice in its object")
    refused(
      #"{"version":1,"version":1,"entity":"zone","filter":{"all":[true,{"isNull":"name","isNull":"nam"}]},"x":{"a":[{"":0,"":0}]}}"#,
      "$.version: stands twice in its object", "$.filter.all[1].isNull: stands twice in its object",
      "$.x.a[0][\"\"]: stands twice in its object", "$.x: is nothing that a query has",
      "$.filter.all[1].isNull: zone has no attribute 'nam'; did you mean 'name'?")
  }

  @Test func `no more problems are told than help, nor longer names`() throws {
    let list = (0..<500).map { _ in #"{"isNull":"\#(String(repeating: "é", count: 1000))\n"}"# }.joined(separator: ",")
    var limits = CriteriaDecoder.Limits()
    limits.bytes = .max
    let found = problems { _ = try decoded(json(filter: "{\"any\":[\(list)]}"), limits: limits) }
    #expect(found.count == 100)
    #expect(found.first == "$.filter.any[0].isNull: zone has no attribute '\(String(repeating: "é", count: 64))…'")
    #expect(problems { _ = try decoded(json(filter: #"{"isNull":"a\nb"}"#)) } == ["$.filter.isNull: zone has no attribute 'a\u{FFFD}b'"])
  }

  @Test func `a value of another kind is told shortly and on one line, however long it is`() throws {
    let text = "a\n\u{85}\u{2028}b" + String(repeating: "é", count: 100_000)
    let value = try #require(String(data: JSONEncoder().encode(["text": text]), encoding: .utf8))
    for attribute in ["standardOffset", "latitude", "id"] {
      let found = problems { _ = try decoded(json(filter: #"{"compare":"\#(attribute)","is":"==","to":{"value":\#(value)}}"#)) }
      #expect(found.count == 1 && found[0].unicodeScalars.count < 150 && found[0].hasSuffix("…"), "\(found)")
      #expect(found[0].contains("a\u{FFFD}\u{FFFD}\u{FFFD}bé"), "\(found)")
    }
  }

  @Test func `a decimal with more digits than one can hold is refused, not cut`() throws {
    func read(_ text: String) -> Decimal? {
      guard case .decimal(let value)? = try? JSONNode.text(text).scalar(as: .decimal(.text)),
        case .decimal(value)? = try? JSONNode.number(text).scalar(as: .decimal(.text))
      else {
        return nil
      }
      return value
    }
    let sevens = String(repeating: "7", count: 40)
    #expect(read(sevens) == nil && read("0.\(sevens)") == nil)
    #expect(read("0.\(sevens.dropLast(2))")?.description == "0.\(sevens.dropLast(2))")
    let greatest = Decimal.greatestFiniteMagnitude.significand
    #expect(read("\(greatest)") == greatest)
    #expect(read("1.50" + String(repeating: "0", count: 60)) == 1.5)
  }

  // MARK: The list of what is allowed

  private static let list = CriteriaDecoder.AllowList(
    ["zone": ["name", "country", "standardOffset"], "country": ["name"]], functions: [.lower], aggregates: [.count])

  @Test func `what is not allowed is not there`() throws {
    refused(json(filter: #"{"isNull":"comment"}"#), "$.filter.isNull: zone has no attribute 'comment'", allowing: Self.list)
    refused(json(filter: #"{"isNull":"commen"}"#), "$.filter.isNull: zone has no attribute 'commen'", allowing: Self.list)
    refused(json(filter: #"{"isNull":"country.code"}"#), "$.filter.isNull: country has no attribute 'code'", allowing: Self.list)
    refused(json(filter: #"{"some":"transitions"}"#), "$.filter.some: zone has no relationship 'transitions'", allowing: Self.list)
    refused(
      json(filter: #"{"isNull":{"upper":"name"}}"#), "$.filter.isNull: there is no function 'upper' here",
      allowing: Self.list)
    refused(json(filter: #"{"isNull":{"max":"name"}}"#), "$.filter.isNull: there is no aggregate 'max' here", allowing: Self.list)
    refused(
      json(filter: #"{"isNull":{"countDistinct":"name"}}"#), "$.filter.isNull: there is no aggregate 'countDistinct' here",
      allowing: Self.list)
    refused(
      #"{"version":1,"entity":"zone"}"#, "$.entity: there is no entity 'zone' here",
      allowing: CriteriaDecoder.AllowList(["country": ["name"]]))
    // The relationship alone does not open the entity at its other end.
    refused(
      json(filter: #"{"some":"country"}"#), "$.filter.some: zone has no relationship 'country'",
      allowing: CriteriaDecoder.AllowList(["zone": ["country"]]))
    refused(
      #"{"version":1,"entity":"zone","prefetch":["transitions"]}"#, "$.prefetch[0]: zone has no relationship 'transitions'",
      allowing: Self.list)
    _ = try decoded(#"{"version":1,"entity":"zone","prefetch":["country"]}"#, allowing: Self.list)
    let fine =
      #"{"all":[{"isNull":"name"},{"compare":{"lower":"country.name"},"is":"==","to":{"value":"x"}},{"some":"country"},"#
      + #"{"compare":{"count":"*"},"is":"<","to":"standardOffset"}]}"#
    #expect(try decoded(json(filter: fine), allowing: Self.list) == decoded(json(filter: fine)))
  }

  /// Every place in which a name can stand, TERM for what stands there.
  private static let places = [
    #""order":[{"by":TERM}]"#, #""order":[{"by":"name"},{"by":{"lower":TERM}}]"#, #""project":[{"term":TERM,"as":"x"}]"#,
    #""project":[{"term":TERM,"group":true,"as":"x"}]"#, #""project":[{"term":{"coalesce":["name",TERM]},"as":"x"}]"#,
    #""project":[{"term":"name","group":true}],"having":{"compare":TERM,"is":"==","to":{"value":"x"}}"#,
    #""project":[{"term":"name","group":true}],"having":{"isNull":{"lower":TERM}}"#,
    #""project":[{"term":"name","group":true}],"order":[{"by":TERM}]"#, #""filter":{"compare":TERM,"is":"==","to":"name"}"#,
    #""filter":{"compare":"name","is":"==","to":TERM}"#, #""filter":{"like":TERM,"pattern":"x"}"#, #""filter":{"in":TERM,"values":["x"]}"#,
    #""filter":{"between":"name","from":TERM,"to":"name"}"#, #""filter":{"not":{"isNull":TERM}}"#,
  ]

  @Test(arguments: places)
  func `what is not allowed is not there, wherever a name can stand`(place: String) throws {
    let list = CriteriaDecoder.AllowList(
      ["zone": ["name", "country", "standardOffset"], "country": ["name"]], functions: [.lower, .coalesce], aggregates: [.count])
    func found(_ term: String, _ list: CriteriaDecoder.AllowList) -> [String] {
      let text = #"{"version":1,"entity":"zone",\#(place.replacingOccurrences(of: "TERM", with: term))}"#
      return problems { _ = try decoded(text, allowing: list) }
    }
    for (term, problem) in [
      (#""comment""#, "zone has no attribute 'comment'"), (#""country.code""#, "country has no attribute 'code'"),
      (#"{"upper":"name"}"#, "there is no function 'upper' here"), (#"{"max":"name"}"#, "there is no aggregate 'max' here"),
      (#"{"lower":"comment"}"#, "zone has no attribute 'comment'"), (#""transitions.offset""#, "zone has no relationship 'transitions'"),
    ] {
      #expect(found(term, list).contains { $0.contains(problem) }, "\(term): \(found(term, list))")
      // It is the list that refuses it.
      #expect(!found(term, .everything).contains { $0.contains(problem) }, "\(term): \(found(term, .everything))")
    }
    #expect(!found(#""name""#, list).contains { $0.contains("there is no") || $0.contains("has no") })
  }

  // MARK: Limits

  @Test func `each limit is told, and what just fits is read`() throws {
    func limited(_ change: (inout CriteriaDecoder.Limits) -> Void) -> CriteriaDecoder.Limits {
      var limits = CriteriaDecoder.Limits()
      change(&limits)
      return limits
    }
    let text = json(filter: "true")
    #expect(try decoded(text, limits: limited { $0.bytes = text.utf8.count }) == .all)
    refused(text, "$: has \(text.utf8.count) bytes; 10 are allowed", limits: limited { $0.bytes = 10 })

    let seven = json(filter: #"{"all":[{"isNull":"name"},{"isNull":"name"},{"isNull":"name"}]}"#)
    _ = try decoded(seven, limits: limited { $0.nodes = 7 })
    refused(
      seven, "$.filter.all[2].isNull: is one condition or term too many; 6 are allowed", limits: limited { $0.nodes = 6 })

    let deep = json(filter: #"{"not":{"isNull":{"lower":"name"}}}"#)
    _ = try decoded(deep, limits: limited { $0.depth = 4 })
    refused(
      deep, "$.filter.not.isNull.lower: is nested more than 3 conditions and terms deep", limits: limited { $0.depth = 3 })

    let list = json(filter: #"{"in":"standardOffset","values":[1,2,3]}"#)
    _ = try decoded(list, limits: limited { $0.listLength = 3 })
    refused(list, "$.filter.values: has 3 values; 2 are allowed", limits: limited { $0.listLength = 2 })

    let prefetches = #"{"version":1,"entity":"zone","prefetch":["country","transitions"]}"#
    _ = try decoded(prefetches, limits: limited { ($0.prefetches, $0.nodes) = (2, 2) })
    refused(prefetches, "$.prefetch: has 2 paths; 1 are allowed", limits: limited { $0.prefetches = 1 })
    refused(prefetches, "$.prefetch[1]: is one condition or term too many; 1 are allowed", limits: limited { $0.nodes = 1 })

    let hops = json(filter: #"{"some":"country.zones","where":{"isNull":"country.name"}}"#)
    _ = try decoded(hops, limits: limited { $0.hops = 3 })
    refused(hops, "$.filter.where.isNull: goes through more than 2 relationships", limits: limited { $0.hops = 2 })
    refused(hops, "$.filter.some: goes through more than 1 relationships", limits: limited { $0.hops = 1 })
  }

  @Test func `what no store can run is too deep whatever the limits`() throws {
    func alternating(_ levels: Int) -> String {
      (0..<levels).reduce(#"{"isNull":"name"}"#) { "{\"\($1 % 2 == 0 ? "all" : "any")\":[\($0),{\"isNull\":\"comment\"}]}" }
    }
    func functions(_ depth: Int) -> String {
      json(filter: "{\"isNull\":\(String(repeating: "{\"lower\":", count: depth))\"name\"\(String(repeating: "}", count: depth))}")
    }
    func negated(_ levels: Int) -> String {
      (0..<levels).reduce(#"{"isNull":"name"}"#) { $1 % 2 == 0 ? "{\"not\":\($0)}" : "{\"any\":[\($0),{\"isNull\":\"comment\"}]}" }
    }
    // Levels that say nothing.
    func idle(_ levels: Int, _ open: String, _ close: String) -> String {
      json(filter: String(repeating: open, count: levels) + #"{"isNull":"name"}"# + String(repeating: close, count: levels))
    }
    for limits in [CriteriaDecoder.Limits(), .own] {
      for (open, close) in [(#"{"not":"#, "}"), (#"{"all":["#, "]}"), (#"{"any":["#, "]}")] {
        _ = try decoded(idle(70, open, close), limits: limits)
        let found = problems { _ = try decoded(idle(71, open, close), limits: limits) }
        #expect(found.count == 1 && found[0].hasSuffix("isNull: is nested more than 72 conditions and terms deep"), "\(found)")
      }
      _ = try decoded(json(filter: negated(24)), limits: limits)
      refused(json(filter: negated(25)), "$.filter: \(Criteria.Condition.tooDeep)", limits: limits)
      _ = try decoded(json(filter: alternating(24)), limits: limits)
      refused(
        json(filter: alternating(25)),
        "$.filter: is nested more than 24 levels deep, goes through more than 8 relationships, or too much of both", limits: limits)
      _ = try decoded(functions(8), limits: limits)
      refused(functions(9), "$.filter.isNull: nests more than 8 functions", limits: limits)
      let hops = String(repeating: "country.zones.", count: 4)
      _ = try decoded(json(filter: "{\"isNull\":\"\(hops)name\"}"), limits: limits)
      refused(
        json(filter: "{\"isNull\":\"\(hops)country.name\"}"), "$.filter.isNull: goes through more than 8 relationships", limits: limits)
    }
  }

  @Test(arguments: [#"".zones""#, #"["","zones"]"#, #""""#, #"[]"#, #"[""]"#, #"".no.such""#])
  func `an empty name leads nowhere, whatever comes behind it`(_ path: String) {
    refused(json(filter: #"{"some":\#(path),"where":{"isNull":"name"}}"#), "$.filter.some: expects the name of a relationship")
  }

  @Test func `prefetches that can't be`() {
    func refused(_ prefetch: String, _ problem: String) {
      #expect(problems { _ = try decoded(#"{"version":1,"entity":"zone","prefetch":\#(prefetch)}"#) } == [problem])
    }
    refused(#""country""#, "$.prefetch: expects a list, not the text \"country\"")
    refused("[1]", "$.prefetch[0]: expects a name, or a list of names, not 1")
    refused(#"["contry"]"#, "$.prefetch[0]: zone has no relationship 'contry'; did you mean 'country'?")
    refused(#"["name"]"#, "$.prefetch[0]: zone has no relationship 'name'")
    refused(#"[""]"#, "$.prefetch[0]: expects the name of a relationship")
    refused(#"[{"order":[]}]"#, "$.prefetch[0]: lacks 'relationship', which a prefetch needs")
    refused(#"[{"relationship":"country","where":true}]"#, "$.prefetch[0].where: is nothing that a prefetch has")
    refused(
      #"[{"relationship":"country","order":[{"by":"nam"}]}]"#,
      "$.prefetch[0].order[0].by: country has no attribute 'nam'; did you mean 'name'?")
    let hops = String(repeating: "country.zones.", count: 4)
    refused("[\"\(hops)country\"]", "$.prefetch[0]: goes through more than 8 relationships")
  }
}
