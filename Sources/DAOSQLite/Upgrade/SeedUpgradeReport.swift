import DAOCriteria

/// The changes that an upgrade of a store to a newer seed made, or would make; see ``SeedPolicy/upgrade(conflicts:adopting:)``.
public struct SeedUpgradeReport: Sendable, Hashable {
  /// The changes to one table. Rows are named by their keys; a row without a key by all its columns.
  public struct Table: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// How many rows of the seed were put in.
    public internal(set) var added = 0
    /// How many rows were changed.
    public internal(set) var changed = 0
    /// How many rows were deleted as in the seed.
    public internal(set) var deleted = 0
    /// How many rows that the user had edited stayed as they are though the seed changed or deleted them.
    public internal(set) var editsKept = 0
    /// How many rows that the seed changed stay deleted, as the user wanted.
    public internal(set) var deletionsKept = 0
    /// Rows that the seed deleted or whose referenced values it changed, and that stay as they are since a row that stays references them.
    public internal(set) var referenced: [[String: StoredValue]] = []
    /// Rows of the seed that were not put in, or keep their old values, since they reference a row that the store has not.
    public internal(set) var heldBack: [[String: StoredValue]] = []
    /// Rows of the user's whose keys rows of the new seed have now: the old key of each, and the new one, under which it is found and
    /// referenced.
    public internal(set) var moved: [Int64: Int64] = [:]
    /// The conflicts, each with its decision.
    public internal(set) var conflicts: [Conflict] = []

    /// Whether there is nothing to say about it.
    var isEmpty: Bool { self == Table(name: name) }

    init(name: String) { self.name = name }
  }

  /// A conflict and its decision.
  public struct Conflict: Sendable, Hashable {
    /// The conflict.
    public let conflict: SeedConflict
    /// The decision on the row. It is ``SeedConflict/Decision/mine`` where ``SeedConflict/Decision/seed`` was not possible.
    public let decision: SeedConflict.Decision
  }

  /// The seed that the store was of: its file's name and `user_version`.
  public let from: Seed
  /// The seed that it is of now.
  public let to: Seed
  /// The tables with changes or notes, by name.
  public let tables: [Table]
  /// The objects that the new seed's schema has and the old one's has not: tables, columns, indexes, views and triggers, those that were
  /// not brought too.
  public let schema: [SchemaChange]

  /// A seed's name and version.
  public struct Seed: Sendable, Hashable, CustomStringConvertible {
    /// The file's name.
    public let name: String
    /// The `user_version`.
    public let version: Int32

    /// Name and version.
    public var description: String { "\(name), version \(version)" }
  }
}

extension SeedUpgradeReport: CustomStringConvertible {
  /// The report in a few lines; a line for each row of note, at most ten of a kind and table.
  public var description: String {
    var lines = ["from \(from) to \(to)"]
    for table in tables { lines += table.lines }
    if tables.isEmpty { lines.append("no row was different") }
    lines += schema.map(\.description)
    return lines.joined(separator: "\n")
  }
}

extension SeedUpgradeReport.Table {
  fileprivate var lines: [String] {
    let counts = [
      (added, "added"), (changed, "changed"), (deleted, "deleted"), (editsKept, "edited, kept"), (deletionsKept, "deleted here, kept so"),
      (referenced.count, "kept, being referenced"), (heldBack.count, "held back for a missing reference"),
      (moved.count, "of the user's moved to other keys"),
      (conflicts.count, "in conflict"),
    ]
    let said = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return ["\(name): " + said.joined(separator: ", ")]
      + Self.few(referenced.map { "  \(Self.text($0)) stays, being referenced" })
      + Self.few(heldBack.map { "  \(Self.text($0)) references a row that is not here" })
      + Self.few(moved.sorted { $0.key < $1.key }.map { "  the user's row \($0.key) has the key \($0.value) now" })
      + Self.few(conflicts.map { "  " + Self.text($0) })
  }

  private static func few(_ lines: [String]) -> [String] {
    lines.count > 10 ? lines.prefix(10) + ["  … and \(lines.count - 10) more"] : lines
  }

  private static func text(_ found: SeedUpgradeReport.Conflict) -> String {
    let conflict = found.conflict
    let decision =
      switch found.decision {
      case .mine: "mine"
      case .seed: "the seed's"
      case .row(let row): text(row)
      }
    let cause =
      switch conflict.cause {
      case .edited: ""
      case .unique(let columns): " (another row has its \(columns.isEmpty ? "values" : columns.joined(separator: ", ")))"
      case .rule(let message): " (\(message))"
      }
    let sides = [("base", conflict.base), ("mine", conflict.mine), ("seed", conflict.theirs)]
    return "\(text(conflict.key))\(cause): " + sides.map { "\($0) \($1.map(text) ?? "none")" }.joined(separator: "; ") + " → \(decision)"
  }

  private static func text(_ row: [String: StoredValue]) -> String {
    row.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
