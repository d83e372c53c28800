import DAOCriteria

// Words are looked up in the search table, whose row ids are the keys of the rows.
extension SQLRenderer {
  /// `"zone_search" WHERE "zone_search" MATCH ?`: the rows of a search, which follow FROM.
  func rows(of search: CheckedSearch) -> (sql: SQLFragment, table: SQLFragment) {
    let searchTable: SQLFragment = "\(name: table.entity.searchTable)"
    let words = binding(search.words, .words(column: search.attribute?.column))
    return ("\(searchTable) WHERE \(searchTable) MATCH \(value: words)", searchTable)
  }

  /// Renders a value that a search provides for a row, for each row by itself.
  func render(_ result: CheckedSearchResult) -> SQLFragment {
    let rows = rows(of: result.search)
    let key = table.outerColumn(result.search.key)
    guard let shown = result.shown else {
      // Counted once for all rows: with a limit SQLite keeps what is inside as a table of its own.
      let ranks: SQLFragment = "SELECT rowid AS found, bm25(\(rows.table)) AS rank FROM \(rows.sql) LIMIT -1"
      return "(SELECT rank FROM (\(ranks)) WHERE found = \(key))"
    }
    let column = table.outerColumn(shown.attribute)
    let values = result.values.map { SQLFragment(", \(value: binding($0))") }.joined("")
    // FTS5's own `snippet` takes the square of the hits, and no limit ends it or `highlight`.
    let call: SQLFragment = "dao_\(text: result.result.name)(\(rows.table), \(text: "\(shown.number)")\(values))"
    // FTS5 would end the text at a NUL.
    return "coalesce((SELECT \(call) FROM \(rows.sql) AND rowid = \(key) AND instr(\(column), char(0)) = 0), \(column))"
  }
}

extension FullTextQuery {
  /// The query in FTS5's language (sqlite.org/fts5.html, section 3). A word has nothing but letters, digits and their marks, so that no
  /// quote is ever in it.
  func matched(column: String?) -> String {
    guard !words.isEmpty else { return "\"\"" }
    // FTS5 searches a word as often as it occurs in the query, and for a highlight takes the square of that time.
    let phrases = kind == .phrase ? [words.joined(separator: " ")] : differentWords.map { String($0) }
    let query = phrases.map(\.quotedIdentifier).joined(separator: kind == .any ? " OR " : " AND ") + (isPrefix ? " *" : "")
    return column.map { "\($0.quotedIdentifier) : (\(query))" } ?? query
  }
}
