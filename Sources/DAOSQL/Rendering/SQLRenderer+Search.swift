import DAOCriteria

// Words are looked for in the search table, whose row ids are the keys of the rows.
extension SQLRenderer {
  /// `"id" IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?)`
  mutating func search(_ search: TextSearch, negated: Bool, in context: TermContext) -> LoweredCondition {
    if context == .group { report(subject.path + search.path.description, "having can't search for words") }
    guard let found = found(search) else { return .constant(false) }
    return .sql("\(found.key) \(negated ? "NOT IN" : "IN") (SELECT rowid FROM " + found.rows + ")")
  }

  /// What a search tells of a row, for each row by itself.
  mutating func render(_ result: SearchResult, of search: TextSearch) -> RenderedTerm {
    let shown = subject.path + (result.path ?? search.path).description
    let values = result.values.map { value in SQLFragment("?", [literal(value.kind == .text ? .mark : .wordCount, path: shown)]) }
    if !search.path.rest.isEmpty, subject.entity[search.path.description] == nil {
      report(subject.path + search.path.description, "is of another entity, of which a search tells nothing here")
    }
    guard let found = found(search) else { return unknown(result.name) }
    guard let path = result.path else {
      // Counted once for all rows: with a limit SQLite keeps what is inside as a table of its own.
      let ranks = "SELECT rowid AS found, bm25(\(found.table)) AS rank FROM " + found.rows + " LIMIT -1"
      return RenderedTerm(
        sql: ("SELECT rank FROM (" + ranks + ") WHERE found = \(found.outerKey)").inParentheses, type: .real, isNullable: true,
        path: result.name)
    }
    let searchable = subject.entity.searchableAttributes
    guard let number = searchable.firstIndex(where: { $0.name == path.description }) else {
      reportUnsearchable(path)
      return unknown(subject.path + path.description)
    }
    let column = subject.outerColumn(searchable[number])
    // FTS5's own `snippet` takes the square of the hits, and no limit ends it or `highlight`.
    let call = "dao_\(result.name)(" + ([SQLFragment(found.table), SQLFragment("\(number)")] + values).joined(", ") + ")"
    // FTS5 would end the text at a NUL.
    let marked = "SELECT " + call + " FROM " + found.rows + " AND rowid = \(found.outerKey) AND instr(\(column), char(0)) = 0"
    return RenderedTerm(
      sql: "coalesce(" + marked.inParentheses + ", \(column))", type: .text, isNullable: searchable[number].isOptional, path: shown)
  }

  /// What a search finds: the rows that follow FROM, the search table, and the key here, by its own name and as a subquery needs it.
  private mutating func found(_ search: TextSearch) -> (rows: SQLFragment, table: String, key: String, outerKey: String)? {
    let (entity, path) = (subject.entity, search.path)
    let attribute = entity[path.description]
    let binding = literal(.words(column: attribute?.column), path: subject.path + path.description)
    if path == .root {
      if entity.searchableAttributes.isEmpty { report(subject.path, "\(entity.name) has no attribute that is searchable") }
    } else if attribute == nil {
      // Reports a name that leads nowhere, or to many.
      _ = render(.field(path), in: .row)
    } else if attribute?.isSearchable != true {
      reportUnsearchable(path)
    }
    guard !entity.searchableAttributes.isEmpty, let key = entity.keyAttributes.first else { return nil }
    let table = entity.searchTable.quotedIdentifier
    return (SQLFragment("\(table) WHERE \(table) MATCH ?", [binding]), table, subject.column(key), subject.outerColumn(key))
  }

  private mutating func reportUnsearchable(_ path: FieldPath) {
    guard subject.entity[path.description] != nil else {
      report(CriteriaProblem(unknownAttribute: path.description, of: subject.entity, at: subject.path + path.description))
      return
    }
    let searchable = subject.entity.searchableAttributes.map(\.name).joined(separator: ", ")
    report(
      subject.path + path.description,
      "is not declared searchable" + (searchable.isEmpty ? "" : "; \(searchable) \(searchable.contains(",") ? "are" : "is")"))
  }
}

extension TextQuery {
  /// The query in FTS5's language (sqlite.org/fts5.html, section 3). A word has nothing but letters, digits and their marks, so that no quote
  /// is ever in it.
  func matched(column: String?) -> String {
    guard !words.isEmpty else { return "\"\"" }
    // FTS5 looks for a word as often as it is asked for, and for a highlight takes the square of that.
    let phrases = kind == .phrase ? [words.joined(separator: " ")] : differentWords.map { String($0) }
    let query = phrases.map(\.quotedIdentifier).joined(separator: kind == .any ? " OR " : " AND ") + (isPrefix ? " *" : "")
    return column.map { "\($0.quotedIdentifier) : (\(query))" } ?? query
  }
}
