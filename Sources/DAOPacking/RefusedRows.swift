import DAOCriteria

/// The keys and unique values of rows that are not packed. A row that has one of them too is reported with the others, not only after they
/// are put right.
struct RefusedRows {
  private struct Unique: Hashable {
    let entity: String
    let attributes: [String]
    let values: [StoredValue]
  }

  private var places: [Unique: SeedRowPlace] = [:]

  /// Keeps the values of a row. Values that could not be read are null, and like no other.
  mutating func add(_ values: [StoredValue], of entity: EntityDescription, at place: SeedRowPlace) {
    for unique in Self.uniques(values, of: entity) where places[unique] == nil { places[unique] = place }
  }

  /// The keys and unique values of a row that a refused one has, each with where that was read.
  /// - Parameter known: the attributes whose problem is known.
  func doubles(
    of values: [StoredValue], in entity: EntityDescription, besides known: [SeedRowProblem] = []
  ) -> [SeedRowProblem] {
    if places.isEmpty { return [] }
    return Self.uniques(values, of: entity).compactMap { unique in
      guard let place = places[unique] else { return nil }
      let problem = SeedRowProblem(double: unique.attributes, unique.values, as: place)
      return known.contains { $0.attribute == problem.attribute } ? nil : problem
    }
  }

  private static func uniques(_ values: [StoredValue], of entity: EntityDescription) -> [Unique] {
    entity.uniques.compactMap { names in
      let own = names.compactMap { entity.position(of: $0) }.map { values[$0] }
      return own.contains(.null) ? nil : Unique(entity: entity.name, attributes: names, values: own.map(\.asNumber))
    }
  }
}

/// A problem of a row: the attribute or attributes, nil for the whole row, and the reason.
struct SeedRowProblem {
  let attribute: String?
  let text: String

  init(_ attribute: String?, _ text: String) {
    self.attribute = attribute
    self.text = text
  }

  /// Values that another row has, which have to be the only ones.
  init(double attributes: [String], _ values: [StoredValue], as place: SeedRowPlace?) {
    let other = place.map { "row \($0.row) of \($0.file)" } ?? "another row"
    self.init(attributes.joined(separator: ", "), "is \(values.map(\.shown).joined(separator: ", ")), as in \(other)")
  }
}

extension EntityDescription {
  /// The attributes of which no two rows have the same values: the key's, and those of each unique index.
  var uniques: [[String]] { [key.attributes] + indexes.filter(\.isUnique).map(\.attributes) }
}

extension StoredValue {
  /// SQLite finds 1 and 1.0 equal, in a column of any type.
  fileprivate var asNumber: StoredValue {
    if case .real(let value) = self, let integer = Int64(exactly: value) { .integer(integer) } else { self }
  }
}
