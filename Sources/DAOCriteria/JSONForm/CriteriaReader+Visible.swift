// Relationships lead only to the rows that the list makes visible, where they can be distinguished from others.
extension CriteriaReader {
  /// A row at least, at the end of a way, of which the condition is true, all rows on the way being visible.
  func some(_ way: ArraySlice<String>, from entity: EntityDescription, _ condition: Criteria.Condition) -> Criteria.Condition {
    var (path, entity) = (FieldPath.root, entity)
    for (position, name) in zip(way.indices, way) {
      path = path.appending(name)
      guard let target = entity.target(of: [name]) else { break }
      entity = target
      guard let visible = allowed.visible[target.name] else { continue }
      let rest = way[(position + 1)...]
      return .some(path, .all([visible, rest.isEmpty ? condition : some(rest, from: target, condition)]))
    }
    return .some(path, condition)
  }

  /// Whether all rows are visible that a way leads over; where not, that is reported.
  mutating func isVisible(_ way: some Sequence<String>, at place: Place) throws -> Bool {
    var entity = place.entity
    for name in way {
      guard let target = entity.target(of: [name]) else { break }
      entity = target
      if try !isVisible(target, at: place) { return false }
    }
    return true
  }

  /// Whether all rows of an entity are visible; where not, that is reported.
  mutating func isVisible(_ entity: EntityDescription, at place: Place) throws -> Bool {
    guard allowed.visible[entity.name] != nil else { return true }
    try report(
      place.path, "speaks of all rows of \(entity.name), which are not all to be seen; use 'some', or an aggregate over one relationship")
    return false
  }
}
