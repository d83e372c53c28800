import DAOKit

extension SearchCriteria {
  /// All rows, ordered by a text; see ``sorted(by:ascending:)-(String,_)``.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every problem of the text.
  public static func sorted(by text: String, ascending: Bool = true) throws -> SearchCriteria {
    try all.sorted(by: text, ascending: ascending)
  }

  /// Ordered by the attributes that a text names, before the orders that the criteria have: `try criteria.sorted(by:
  /// "lastName:desc,firstName")` is `ORDER BY "lastName" DESC NULLS LAST, "firstName" ASC NULLS FIRST`.
  ///
  /// Commas separate the attributes, each of which may have a colon and a direction: `asc`, `ascending`, `yes`, `true`, `1`, or `desc`,
  /// `descending`, `no`, `false`, `0`, in any case. Spaces around them are ignored. `country.name` follows a relationship. The grammar is
  /// MagicalRecord's, with directions that it did not know: there, `"name:asc"` is descending.
  /// - Parameters:
  ///   - text: the attributes. An empty text is no order.
  ///   - ascending: the direction of those without one.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with the unknown directions and the attributes without a name, a hundred at
  ///   most. Unknown attributes are found by the query.
  public func sorted(by text: String, ascending: Bool = true) throws -> SearchCriteria {
    let keys = SortText.keys(of: text)
    let problems = keys.lazy.compactMap(\.problem).prefix(100)
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: Root.entityDescription.name, problems: Array(problems)) }
    return ordered(
      first: keys.map { key in
        let field = Operand<Root, Scalar>.field(key.name)
        return key.isAscending ?? ascending ? .ascending(field) : .descending(field)
      })
  }

  /// Ordered by these before the orders that the criteria have.
  func ordered(first orders: [Order<Root>]) -> SearchCriteria {
    var criteria = criteria
    criteria.orders = orders.map(\.ordering) + criteria.orders
    return SearchCriteria(criteria)
  }

  /// The rows with a value, the smallest or largest of which is first.
  /// - Throws: ``DAOError/misuse(_:use:)`` for criteria with a page.
  func extremes<V>(of path: FieldKeyPath<Root, V>, _ order: Order<Root>) throws -> SearchCriteria {
    guard criteria.limit == nil, criteria.offset == nil else {
      throw DAOError.misuse("the smallest or largest of a page", use: "findAll(_:) and the page's rows")
    }
    return filter(.isNotNull(path)).ordered(first: [order])
  }
}
