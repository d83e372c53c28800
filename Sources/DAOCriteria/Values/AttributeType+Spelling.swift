// An update that writes what was read leaves the stored value as it was, digit for digit, where several are read as one.
extension AttributeType {
  /// Whether an update keeps the value that is there where it is read as the one that it writes. Seconds since 1970 are written as they
  /// were anyway; see ``UnixSeconds``.
  package var keepsSpelling: Bool { hasSeveralForms && self != .date(.unixSeconds) }

  /// Whether it is a date or a number that may be read from several stored values: an upsert looks its row up first, since an index knows
  /// only the row's own.
  package var isReadFromSeveral: Bool { hasSeveralForms && self != .decimal(.text) }

  /// Whether two stored values are read as one.
  package func areRead(_ a: StoredValue, as b: StoredValue) -> Bool {
    guard case .date(let storage) = self, storage.hasBounds else { return a.compare(b, as: self) == 0 }
    return storage.secondsSinceReference(a).compare(storage.secondsSinceReference(b), as: .any) == 0
  }
}

extension EntityDescription {
  /// A row as an update writes it over another.
  package func keepingSpelling(_ row: [StoredValue], over before: [StoredValue]) -> [StoredValue] {
    guard types.contains(where: \.keepsSpelling) else { return row }
    return types.indices.map { types[$0].keepsSpelling && types[$0].areRead(before[$0], as: row[$0]) ? before[$0] : row[$0] }
  }
}
