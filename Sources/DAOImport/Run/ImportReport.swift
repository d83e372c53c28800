/// The effect of an import on the rows of each entity.
public struct ImportReport: Sendable, Hashable {
  /// How many records of the feed have been read.
  public internal(set) var records = 0
  /// How many bytes of the feed have been read.
  public internal(set) var bytes = 0
  /// The size of the feed, in bytes; 0 where that is unknown.
  public internal(set) var totalBytes = 0
  /// The effect on each entity that has rows in the feed, by its name.
  public internal(set) var counts: [String: ImportCounts] = [:]
  /// The problems of the records that were refused.
  public internal(set) var problems: [ImportProblem] = []
  /// Whether the feed has been read to its end.
  public internal(set) var isComplete = false
  /// Whether the import of a Core Data store had been done before, and nothing was done now.
  public internal(set) var isRepeated = false
  /// The parts of a Core Data store that have values or rows, and that no mapping reads: columns and positions (`CDNote.subtitle`), tables
  /// of pairs and positions in them (`Z_2TAGS.Z_FOK_4TAGS`), pairs of a sub-entity (`Z_2TAGS (3 pairs of CDList)`), and entities
  /// (`CDDraft (12 rows)`). A column that only a hook reads is among them.
  public internal(set) var leftOut: [String] = []

  /// The effect on an entity.
  public subscript(entity: String) -> ImportCounts { counts[entity] ?? ImportCounts() }

  /// Adds the counts of a batch.
  mutating func add(_ other: [String: ImportCounts]) { counts.merge(other) { $0 + $1 } }
}

extension ImportReport: CustomStringConvertible {
  /// A line for each entity, and one for each problem: `person: 3 inserted, 1 updated`.
  public var description: String {
    let lines = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + problems.map { "\($0)" }
    return ((isRepeated ? ["imported before"] : []) + lines + leftOut.map { "left out: \($0)" }).joined(separator: "\n")
  }
}
