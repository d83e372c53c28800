/// A search for words in attributes that are declared searchable: a filter, an order by relevance, and extracts of the texts for reports.
///
/// ```swift
/// let search = Match<Zone>(.all("summer ti", prefix: true))       // in all searchable attributes
/// zones.findAll(.where(.match(search)).order(by: .relevance(of: search)).limit(20))
/// zones.project(.field(\.name), .highlight(\.comment, search, start: "<b>", end: "</b>"), matching: .where(.match(search)))
/// ```
///
/// becomes
///
/// ```sql
/// … WHERE "id" IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?)     -- '"summer" AND "ti" *'
/// ```
///
/// The search table `zone_search` stands beside the entity's own, and triggers keep it in step; `SchemaSQL` has both. A store that was made
/// before an attribute was searchable lacks them, and opening it reports them. Once they are there, it reports that `INSERT INTO
/// "zone_search" ("zone_search") VALUES ('rebuild')` must be run, which indexes the old rows.
public struct FullTextMatch<Root: Entity>: Sendable, Hashable {
  /// The search as a plain value.
  public let search: Criteria.Search

  /// A search in all attributes that are declared searchable; each word may be in another.
  public init(_ query: FullTextQuery) { search = Criteria.Search(query) }

  /// A search in one attribute.
  public init<V>(_ path: FieldKeyPath<Root, V>, _ query: FullTextQuery) {
    search = Criteria.Search(Root.path(path), query)
  }

  /// A search in the attribute of this name.
  public init(_ attribute: String, _ query: FullTextQuery) { search = Criteria.Search(FieldPath(attribute), query) }
}

extension Filter {
  /// Rows that a search finds: `"id" IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?)`.
  public static func match(_ match: FullTextMatch<Root>) -> Filter { Filter(.search(match.search)) }
  /// Rows with these words in their searchable attributes; each word may be in another.
  public static func match(_ query: FullTextQuery) -> Filter { match(FullTextMatch(query)) }
  /// Rows with these words in an attribute: `… MATCH ?`, which is `"name" : ("europe" AND "capital")`.
  public static func match<V>(_ path: FieldKeyPath<Root, V>, _ query: FullTextQuery) -> Filter { match(FullTextMatch(path, query)) }
  /// Rows with these words in the attribute of this name.
  public static func match(_ attribute: String, _ query: FullTextQuery) -> Filter { match(FullTextMatch(attribute, query)) }
}

extension Field {
  /// Rows with these words in the attribute; see ``Filter/match(_:_:)-(String,_)``.
  public func matches<Root>(_ query: FullTextQuery) -> Filter<Root> { Filter(.search(Criteria.Search(term.path, query))) }
}

extension Order {
  /// Orders rows by relevance, the best match first, by bm25 over all rows of the table; rows that do not match are last.
  ///
  /// ```sql
  /// ORDER BY (SELECT rank FROM (
  ///   SELECT rowid AS found, bm25("zone_search") AS rank FROM "zone_search" WHERE "zone_search" MATCH ? LIMIT -1)
  /// WHERE found = "zone"."id") ASC NULLS LAST
  /// ```
  ///
  /// Each row of the table contributes to it, so it works with pages by number only: keyset pages and the evaluator refuse it.
  public static func relevance(of match: FullTextMatch<Root>) -> Order {
    Order(Criteria.Ordering(.search(.relevance, match.search), .ascending, nulls: .last))
  }
}

extension Projection where Value == String? {
  /// An attribute's text with the words that a search finds in it between two marks; as it is where the row does not fit.
  ///
  /// ```sql
  /// coalesce((SELECT dao_highlight("zone_search", 0, ?, ?) FROM "zone_search" WHERE "zone_search" MATCH ? AND rowid = …), "comment")
  /// ```
  public static func highlight<V>(
    _ path: FieldKeyPath<Root, V>, _ match: FullTextMatch<Root>, start: String, end: String
  ) -> Projection {
    Projection(Criteria.Column(.search(.highlight(Root.path(path), start: start, end: end), match.search)))
  }

  /// The part of an attribute's text that has the most words of a search, with marks around them: `dao_snippet("zone_search", 0, ?, ?, ?,
  /// ?)`; the whole text where the row does not fit. The evaluator refuses it.
  public static func snippet<V>(
    _ path: FieldKeyPath<Root, V>, _ match: FullTextMatch<Root>, start: String, end: String, ellipsis: String = "…", words: Int = 16
  ) -> Projection {
    let result = Criteria.SearchResult.snippet(Root.path(path), start: start, end: end, ellipsis: ellipsis, words: words)
    return Projection(Criteria.Column(.search(result, match.search)))
  }
}

extension Entity {
  fileprivate static func path<V>(_ path: FieldKeyPath<Self, V>) -> FieldPath { term(path).path }
}

extension Criteria.Term {
  /// The path of an attribute; an invalid path for any other term, which the check reports.
  fileprivate var path: FieldPath { if case .field(let path) = self { path } else { FieldPath(projectedName) } }
}
