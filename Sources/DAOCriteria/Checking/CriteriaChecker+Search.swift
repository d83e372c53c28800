extension CriteriaChecker {
  /// Checks a value that a search provides for a row, for each row by itself.
  mutating func checked(_ result: Criteria.SearchResult, of search: Criteria.Search) -> CheckedTerm {
    let shown = subject.path + (result.path ?? search.path).description
    let values = result.values.map { value(.scalar($0), $0.kind == .text ? .mark : .wordCount, shown) }
    if !search.path.rest.isEmpty, subject.entity[search.path.description] == nil {
      report(subject.path + search.path.description, "is of another entity, of which a search tells nothing here")
    }
    guard let found = checked(search) else { return .unknown(result.name) }
    guard let path = result.path else {
      let relevance = CheckedSearchResult(result: result, values: values, search: found, shown: nil)
      return CheckedTerm(node: .search(relevance), type: .real, isNullable: true, path: result.name)
    }
    let searchable = subject.entity.searchableAttributes
    guard let number = searchable.firstIndex(where: { $0.name == path.description }) else {
      reportUnsearchable(path)
      return .unknown(subject.path + path.description)
    }
    let attribute = searchable[number]
    return CheckedTerm(
      node: .search(CheckedSearchResult(result: result, values: values, search: found, shown: (attribute, number))), type: .text,
      isNullable: attribute.isOptional, path: shown)
  }

  /// A search of the subject's attributes; nil where it has none that are searchable.
  mutating func checked(_ search: Criteria.Search) -> CheckedSearch? {
    let (entity, path) = (subject.entity, search.path)
    let attribute = entity[path.description]
    let shown = subject.path + path.description
    let words = value(.words(search.query), .words, shown)
    if path == .root {
      if entity.searchableAttributes.isEmpty { report(subject.path, "\(entity.name) has no attribute that is searchable") }
    } else if attribute == nil {
      // Reports a name that leads nowhere, or to many.
      _ = field(path)
    } else if attribute?.isSearchable != true {
      reportUnsearchable(path)
    }
    guard !entity.searchableAttributes.isEmpty else { return nil }
    guard let key = entity.keyAttributes.first else {
      report(shown, "\(entity.name) has no key, by which a search finds its rows")
      return nil
    }
    return CheckedSearch(words: words, attribute: attribute, key: key)
  }

  private mutating func reportUnsearchable(_ path: FieldPath) {
    guard subject.entity[path.description] != nil else {
      report(DAOError.CriteriaProblem(unknownAttribute: path.description, of: subject.entity, at: subject.path + path.description))
      return
    }
    let searchable = subject.entity.searchableAttributes.map(\.name).joined(separator: ", ")
    report(
      subject.path + path.description,
      "is not declared searchable" + (searchable.isEmpty ? "" : "; \(searchable) \(searchable.contains(",") ? "are" : "is")"))
  }
}
