// A search for words: `"text"`, and what follows of `"words"` and `"prefix"`.
extension CriteriaReader {
  /// `{"match": "comment", "text": "summer ti", "words": "all", "prefix": true}`
  mutating func match(_ node: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Criteria.Condition? {
    try search(node, members, at: place, path: "match").map { .search($0) }
  }

  /// `{"relevance": "*", "text": …}`, `{"highlight": "comment", "match": "*", "text": …, "start": "<b>", "end": "</b>"}`, and a snippet.
  mutating func searchResult(_ kind: String, _ node: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Criteria.Term? {
    if kind == "relevance" { return try search(node, members, at: place, path: kind).map { .search(.relevance, $0) } }
    let shown = try field(node, at: place[kind])
    let search = try self.search(members["match"] ?? "*", members, at: place, path: "match")
    let start = try members["start"].flatMap { try shortText($0, at: place["start"]) }
    let end = try members["end"].flatMap { try shortText($0, at: place["end"]) }
    // Each row is searched by itself.
    try charge(10 * place.rows, at: place)
    guard kind == "snippet" else {
      guard case .field(let path)? = shown, let search, let start, let end else { return nil }
      return .search(.highlight(path, start: start, end: end), search)
    }
    let ellipsis = try members["ellipsis"].flatMap { try shortText($0, at: place["ellipsis"]) }
    let words = try members["size"].flatMap { try wordCount($0, at: place["size"]) }
    guard case .field(let path)? = shown, let search, let start, let end, let ellipsis, let words else { return nil }
    return .search(.snippet(path, start: start, end: end, ellipsis: ellipsis, words: words), search)
  }

  private mutating func search(
    _ node: JSONNode, _ members: [String: JSONNode], at place: Place, path name: String
  ) throws -> Criteria.Search? {
    let text = try members["text"].flatMap { try words($0, at: place["text"]) }
    let kind: FullTextQuery.Kind? = try members["words"].map { try choice($0, Self.kinds, at: place["words"]) } ?? .all
    let isPrefix: Bool? = try members["prefix"].map { try bool($0, at: place["prefix"]) } ?? false
    guard let path = try searched(node, at: place[name]), let text, let kind, let isPrefix else { return nil }
    return Criteria.Search(path, FullTextQuery(text, kind, prefix: isPrefix))
  }

  /// A text of not too many words.
  private mutating func words(_ node: JSONNode, at place: Place) throws -> String? {
    guard let text = try shortText(node, at: place) else { return nil }
    let count = Words.of(text).count
    if count <= limits.words { return text }
    try report(place.path, "has \(count) words; \(limits.words) are allowed")
    return nil
  }

  private static let kinds = Dictionary(uniqueKeysWithValues: FullTextQuery.Kind.allCases.map { ($0.rawValue, $0) })

  /// An attribute, or a star for all that are searchable, which then must all be allowed.
  private mutating func searched(_ node: JSONNode, at place: Place) throws -> FieldPath? {
    guard case .text("*") = node else {
      guard case .field(let path)? = try field(node, at: place) else { return nil }
      return path
    }
    guard place.entity.searchableAttributes.allSatisfy({ allowed.allows($0, of: place.entity) }) else {
      try report(place.path, "can't search all of \(place.entity.name) here; name an attribute")
      return nil
    }
    return .root
  }

  private mutating func wordCount(_ node: JSONNode, at place: Place) throws -> Int? {
    if case .number(let digits) = node, let count = Int(digits), 1...64 ~= count { return count }
    try report(place.path, "expects a number of words from 1 to 64, not \(node.kind)")
    return nil
  }
}
