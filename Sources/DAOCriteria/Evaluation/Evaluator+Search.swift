extension Evaluator {
  /// A search as a function.
  func test(_ search: Criteria.Search) throws -> Test {
    if !search.path.rest.isEmpty, entity[search.path.description] == nil {
      let (related, way, rest) = try throughToOne(search.path)
      let test = try related.rowTest(.search(Criteria.Search(rest, search.query)))
      return { subject in
        guard let place = subject.place, let found = try way(place).first else { return false }
        return try test(found)
      }
    }
    let positions = searched(search).compactMap { entity.position(of: $0.name) }
    let fitting = FittingWords(search.query)
    return { [table, statement] subject in
      guard let place = subject.place, let row = table.places[place] else { return false }
      let texts = positions.map { row[$0].text }
      try statement.spend(texts.reduce(0) { $0 + fitting.steps(bytes: $1?.utf8.count ?? 0) })
      return fitting.fits(texts)
    }
  }

  /// Returns a value that a search provides for a row. Relevance is known only to the index, which counts the words of all rows.
  func value(_ result: Criteria.SearchResult, _ search: Criteria.Search) throws -> Value {
    guard case .highlight(let path, let start, let end) = result, let position = entity.position(of: path.description) else {
      throw Self.unsupported("the \(result.name) of a search; only a store with a search table knows it")
    }
    let isSearched = searched(search).contains { $0.name == path.description }
    let fits = try test(search)
    let fitting = FittingWords(search.query)
    return { [table, statement] subject in
      guard let place = subject.place, let text = table.places[place]?[position].text else { return .null }
      // FTS5 ends a text at a NUL, a store therefore leaves a text with a NUL alone.
      guard try isSearched && !text.utf8.contains(0) && fits(subject) else { return .text(text) }
      try statement.spend(fitting.steps(bytes: text.utf8.count))
      return .text(fitting.highlighted(text, start: start, end: end))
    }
  }

  private func searched(_ search: Criteria.Search) -> [Attribute] {
    search.path == .root ? entity.searchableAttributes : entity[search.path.description].map { [$0] } ?? []
  }
}

extension StoredValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
