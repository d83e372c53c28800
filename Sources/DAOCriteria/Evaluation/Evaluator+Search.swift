extension Evaluator {
  /// A search as a function.
  func test(_ search: TextSearch) throws -> Test {
    if !search.path.rest.isEmpty, entity[search.path.description] == nil {
      let (related, way, rest) = try throughToOne(search.path)
      let test = try related.test(TextSearch(rest, search.query))
      return { subject in
        guard let row = subject.row, let found = way(row).first else { return false }
        return try test(.row(found))
      }
    }
    let positions = searched(search).compactMap { entity.position(of: $0.name) }
    let query = search.query
    return { subject in
      guard let row = subject.row else { return false }
      return query.fits(positions.map { row[$0].text })
    }
  }

  /// What a search tells of a row. How relevant it is only the index knows, which counts all rows' words.
  func value(_ result: SearchResult, _ search: TextSearch) throws -> Value {
    guard case .highlight(let path, let start, let end) = result, let position = entity.position(of: path.description) else {
      throw Self.unsupported("the \(result.name) of a search; only a store with a search table knows it")
    }
    let isSearched = searched(search).contains { $0.name == path.description }
    let fits = try test(search)
    return { subject in
      guard let row = subject.row, let text = row[position].text else { return .null }
      // FTS5 ends a text at a NUL, so that a store leaves such a one alone.
      return .text(
        try isSearched && !text.utf8.contains(0) && fits(subject)
          ? search.query.highlighted(text, start: start, end: end) : text)
    }
  }

  private func searched(_ search: TextSearch) -> [Attribute] {
    search.path == .root ? entity.searchableAttributes : entity[search.path.description].map { [$0] } ?? []
  }
}

extension StoredValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
