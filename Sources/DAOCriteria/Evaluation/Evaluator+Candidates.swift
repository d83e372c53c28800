// Which rows a condition may be true of, looked up where an engine would seek in an index. What is left out could only be false.
extension Evaluator {
  /// The places among which all rows are that a condition is true of, in order; nil where nothing tells them from the others.
  func candidates(_ condition: Condition) throws -> [Int]? {
    if let (path, inner) = condition.beyondToOne(of: entity) { return try sources(path, inner) }
    switch condition.node {
    case .compare(.field(let path), .equal, .value(let value)), .compare(.value(let value), .equal, .field(let path)):
      return try lookedUp([value], path)
    case .among(.field(let path), let values): return try lookedUp(values, path)
    case .some(let path, let inner): return try sources(path, inner)
    case .all(let parts):
      var fewest: [Int]?
      for part in parts {
        guard let places = try candidates(part) else { continue }
        if places.count < fewest?.count ?? .max { fewest = places }
        // Few enough: to look for fewer still costs more than to test them.
        if places.count * 8 < table.places.count { break }
      }
      return fewest
    case .any(let parts):
      var union: Set<Int> = []
      for part in parts {
        guard let places = try candidates(part) else { return nil }
        union.formUnion(places)
      }
      return union.sorted()
    case .constant, .compare, .between, .among, .isNull, .matches, .search, .not, .tooDeep: return nil
    }
  }

  /// The rows whose attribute has one of some values, where it leads a key, an index or a relationship.
  private func lookedUp(_ values: [Scalar], _ path: FieldPath) throws -> [Int]? {
    guard let position = entity.position(of: path.description), entity.isLookedUp(path.description) else { return nil }
    let type = entity.attributes[position].type
    // Of these, equal values may be stored in several forms.
    if type == .decimal(.text) || values.contains(where: { $0.isNull || type.hasBounds && $0.isApproximate }) { return nil }
    try statement.spend(values.count)
    let lookup = table.lookup([position])
    if values.count == 1 { return lookup.places(try type.stored(values[0])) }
    return Set(try values.flatMap { lookup.places(try type.stored($0)) }).sorted()
  }

  /// The rows from which a path leads to a row that a condition is true of, found from there.
  private func sources(_ path: FieldPath, _ condition: Condition) throws -> [Int]? {
    let (related, hops) = try hops(path)
    guard !hops.isEmpty, var places = try related.matches(condition, ofAtMost: table.places.count / 4) else { return nil }
    for hop in hops.reversed() { places = try hop.sources(of: places) }
    return places
  }

  /// The rows that a condition is true of, where they are looked up, or the table is small.
  private func matches(_ condition: Condition, ofAtMost count: Int) throws -> [Int]? {
    guard let places = try candidates(condition) ?? (table.places.count <= count ? table.occupied : nil) else { return nil }
    let test = try rowTest(condition)
    do { return try places.filter(test) } catch DAOError.overflow, DAOError.undecodable {
      // Of a row that nothing may lead to.
      return nil
    }
  }
}

extension EntityDescription {
  /// Whether an attribute leads a key, an index or a relationship, by which engines find rows without reading all of them.
  fileprivate func isLookedUp(_ name: String) -> Bool {
    key.attributes.first == name || indexes.contains { $0.attributes.first == name }
      || relationships.contains { if case .toOne(let by, _) = $0.kind { by.first == name } else { false } }
  }
}

extension Condition {
  /// A comparison of an attribute beyond to-one relationships with values that are not null, as a condition of the rows there; nil for others.
  fileprivate func beyondToOne(of entity: EntityDescription) -> (FieldPath, Condition)? {
    func split(_ path: FieldPath, _ make: (Term) -> Condition) -> (FieldPath, Condition)? {
      // A name may have dots of its own.
      guard !path.rest.isEmpty, entity[path.description] == nil else { return nil }
      let way = path.names.dropLast().reduce(FieldPath.root) { $0.appending($1) }
      return (way, make(.field(.root.appending(path.names.last ?? ""))))
    }
    switch node {
    case .compare(.field(let path), let comparison, .value(let value)) where comparison != .notEqual && !value.isNull:
      return split(path) { .compare($0, comparison, .value(value)) }
    case .compare(.value(let value), let comparison, .field(let path)) where comparison != .notEqual && !value.isNull:
      return split(path) { .compare(.value(value), comparison, $0) }
    case .among(.field(let path), let values) where !values.contains(.null): return split(path) { .among($0, values) }
    case .matches(.field(let path), let match, let pattern, let caseSensitive):
      return split(path) { .matches($0, match, pattern, caseSensitive: caseSensitive) }
    default: return nil
    }
  }
}
