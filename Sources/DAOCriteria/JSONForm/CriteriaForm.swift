/// The members that an object of the form has.
struct CriteriaForm: Sendable {
  let required: [String]
  let optional: [String]

  init(_ required: String..., optional: [String] = []) { self.init(required, optional: optional) }

  private init(_ required: [String], optional: [String]) {
    self.required = required
    self.optional = optional
  }

  var all: [String] { required + optional }

  func has(_ name: String) -> Bool { required.contains(name) || optional.contains(name) }

  static let criteria = CriteriaForm(
    "version", "entity", optional: ["filter", "order", "project", "having", "distinct", "limit", "offset", "prefetch"])
  static let order = CriteriaForm("by", optional: ["direction", "nulls"])
  static let column = CriteriaForm("term", optional: ["group", "as"])
  static let prefetch = CriteriaForm("relationship", optional: ["order"])

  /// The members that a search may have beside its text.
  private static let search = ["words", "prefix"]

  /// The kinds of condition, each by the member that distinguishes it from the others.
  static let conditions: [String: CriteriaForm] = {
    var forms = [
      "compare": CriteriaForm("compare", "is", "to"), "between": CriteriaForm("between", "from", "to"), "in": CriteriaForm("in", "values"),
      "isNull": CriteriaForm("isNull"), "match": CriteriaForm("match", "text", optional: search),
      "all": CriteriaForm("all"), "any": CriteriaForm("any"), "not": CriteriaForm("not"),
      "some": CriteriaForm("some", optional: ["where"]),
    ]
    for match in Criteria.TextComparison.allCases {
      forms[match.rawValue] = CriteriaForm(match.rawValue, "pattern", optional: ["caseSensitive"])
    }
    return forms
  }()

  /// The kinds of term, each by the member that distinguishes it from the others.
  static let terms: [String: CriteriaForm] = {
    var forms = [
      "field": CriteriaForm("field"), "value": CriteriaForm("value"), "relevance": CriteriaForm("relevance", "text", optional: search),
      "highlight": CriteriaForm("highlight", "text", "start", "end", optional: ["match"] + search),
      "snippet": CriteriaForm("snippet", "text", "start", "end", "ellipsis", "size", optional: ["match"] + search),
    ]
    for function in Function.allCases {
      let path = function.jsonType == nil ? [] : ["path"]
      let (needed, others) = (function.form.options.filter(\.isRequired), function.form.options.filter { !$0.isRequired })
      forms[function.rawValue] = CriteriaForm([function.rawValue] + path + needed.map(\.name), optional: others.map(\.name))
    }
    for aggregate in Aggregate.Kind.allCases {
      let list = aggregate == .groupConcat ? ["separator", "order"] : []
      forms[aggregate.rawValue] = CriteriaForm(aggregate.rawValue, optional: ["over", "where"] + list)
    }
    return forms
  }()
}
