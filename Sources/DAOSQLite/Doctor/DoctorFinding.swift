import DAOCriteria

extension DoctorReport {
  /// The severity of a finding. Worse ones come first. The worse comes first.
  public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The file is damaged, or will be when somebody opens it: its content may be lost.
    case damage
    /// The store can't be opened with the entities, rows can't be read or searched, or rules of the schema don't hold.
    case error
    /// Everything can be read; some rows are not found, or not fast.
    case warning
    /// Information without a problem.
    case note

    /// By how bad it is.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    func counted(_ count: Int) -> String {
      switch self {
      case .damage: "\(count) of damage"
      case .error, .warning, .note: count == 1 ? "1 \(self)" : "\(count) \(self)s"
      }
    }
  }

  /// The kind of finding.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The file is no SQLite database, or has no bytes.
    case notADatabase = "no database"
    /// The file ends too early.
    case truncated = "truncated file"
    /// Pages that contradict each other, or a table that can't be read to its end.
    case damage = "damage"
    /// A WAL of another file lies beside the store, and would be played into it; or a WAL that seems to be of another file. The signs are
    /// another application id, and header counters that decrease: give each kind of store an id of its own.
    case foreignWAL = "foreign WAL"
    /// A WAL was cut or damaged, and commits in it are not read.
    case damagedWAL = "damaged WAL"

    /// Text is not UTF-8, so that it does not sort as a store's text does.
    case encoding = "encoding"
    /// An index does not agree with its table.
    case brokenIndex = "broken index"
    /// NOT NULL, UNIQUE or CHECK does not hold. CHECK is reported for stores in memory alone: SQLite forgets it on connections that only
    /// read.
    case constraint = "constraint"
    /// Rows point to rows that are not there, or a foreign key that no table can meet.
    case foreignKey = "foreign key"
    /// The store's schema does not fit an entity: a ``SchemaDifference``.
    case drift = "drift"
    /// Rows of a table or view can't be had at all.
    case unreadableTable = "unreadable table"
    /// Values that break their attribute's form: an error when the row is read.
    case unreadableValue = "unreadable value"
    /// A view that SQLite can't compile, or that takes too much to compile.
    case brokenView = "broken view"
    /// A trigger that SQLite can't compile, so that no statement that fires it can be compiled.
    case brokenTrigger = "broken trigger"
    /// The file is not the application's that was named to the doctor.
    case wrongApplication = "wrong application"
    /// The file is of a later version than was named to the doctor.
    case newerVersion = "newer version"
    /// A search table finds other words than its table has.
    case search = "search table"

    /// Values that can be read, but not found again by the value that was read.
    case unfindableValue = "unfindable value"
    /// A foreign key that no index serves: each delete of the other row, and each lookup from there, reads the whole table.
    case missingIndex = "missing index"
    /// Rows of a seed with keys of which stores give some to their users' rows. Only ``SeedPacker`` looks for them.
    case userKeys = "keys of users"
    /// A writer was interrupted; the next program that opens the store rolls its changes back.
    case interruptedWrite = "interrupted write"

    /// Values that are spelled otherwise than DAOKit writes them, and found all the same.
    case spelling = "spelling"
    /// `ANALYZE` was never run, or long ago: SQLite guesses how many rows a condition leaves.
    case statistics = "statistics"
    /// The file is of an earlier version than was named to the doctor: a migration is due.
    case olderVersion = "older version"
    /// A file that a start was making when it ended, or is making now.
    case leftover = "leftover"
    /// An older store that was kept.
    case backup = "backup"

    /// How bad it is.
    public var severity: Severity {
      switch self {
      case .notADatabase, .truncated, .damage, .foreignWAL, .damagedWAL: .damage
      case .encoding, .brokenIndex, .constraint, .foreignKey, .drift, .unreadableTable, .unreadableValue, .brokenView, .brokenTrigger,
        .wrongApplication, .newerVersion, .search:
        .error
      case .unfindableValue, .missingIndex, .userKeys, .interruptedWrite: .warning
      case .spelling, .statistics, .olderVersion, .leftover, .backup: .note
      }
    }
  }

  /// One thing that was found.
  public struct Finding: Sendable, Hashable {
    /// The kind of finding.
    public let kind: Kind
    /// The entity; nil where it is not about one.
    public let entity: String?
    /// The attribute, the columns of a foreign key or the index; nil where it is not about one.
    public let attribute: String?
    /// How many rows are concerned; nil where it is not about rows.
    public let rows: Int?
    /// The problem, in one sentence.
    public let message: String
    /// A few of the rows.
    public let examples: [Example]
    /// The repair.
    public let repair: Repair

    /// How bad it is.
    public var severity: Severity { kind.severity }

    init(
      _ kind: Kind, of entity: String? = nil, at attribute: String? = nil, rows: Int? = nil, _ message: String, examples: [Example] = [],
      repair: Repair
    ) {
      self.kind = kind
      self.entity = entity
      self.attribute = attribute
      self.rows = rows
      self.message = message
      self.examples = examples
      self.repair = repair
    }

    /// The same without SQL that repairs it.
    var withoutSQL: Finding {
      Finding(kind, of: entity, at: attribute, rows: rows, message, examples: examples, repair: repair.withoutSQL)
    }
  }

  /// A row that has the problem.
  public struct Example: Sendable, Hashable, CustomStringConvertible {
    /// How many a finding has at most.
    static let limit = 5

    /// The row's key.
    public let key: [StoredValue]
    /// The values at fault. Text that is not UTF-8 is shown as its bytes.
    public let values: [StoredValue]

    /// Key and values in short: `(7) 'true'`.
    public var description: String {
      "(\(key.map(\.shown).joined(separator: ", ")))" + (values.isEmpty ? "" : " " + values.map(\.shown).joined(separator: ", "))
    }
  }

  /// The repair for a finding.
  public struct Repair: Sendable, Hashable {
    /// In one sentence.
    public let sentence: String
    /// The SQL of the repair, which does not change the meaning of any value; empty where there is none. See ``DoctorReport/repairSQL``.
    public let sql: [String]

    init(_ sentence: String, sql: [String] = []) {
      self.sentence = sentence
      self.sql = sql
    }

    /// The same by hand, in a store with damaged pages: there a statement may read and write other data than it seems to.
    var withoutSQL: Repair { sql.isEmpty ? self : Repair("\(sentence), when the damage is repaired") }
  }
}

extension DoctorReport.Finding: CustomStringConvertible {
  /// The finding in a few lines.
  public var description: String { lines(Self.widths(of: [self])).joined(separator: "\n") }

  /// The subject of the finding: `zone.name`.
  private var place: String { [entity, attribute].compactMap { $0 }.joined(separator: ".") }

  /// How wide the columns of a finding's first line are, so that those of all stand in a table.
  static func widths(of findings: [Self]) -> (kind: Int, place: Int) {
    (findings.map(\.kind.rawValue.count).max() ?? 0, findings.map(\.place.count).max() ?? 0)
  }

  func lines(_ widths: (kind: Int, place: Int)) -> [String] {
    func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count) + 2) }
    let indent = String(repeating: " ", count: 9)
    var first = padded("\(severity)", 7) + padded(kind.rawValue, widths.kind) + padded(place, widths.place)
    if let rows { first += rows == 1 ? "1 row" : "\(rows.formatted()) rows" }
    while first.last == " " { first.removeLast() }
    var lines = [first, indent + message]
    if !examples.isEmpty { lines.append(indent + examples.map(\.description).joined(separator: ", ")) }
    lines.append("\(indent)repair: \(repair.sentence)")
    return lines + repair.sql.map { "\(indent)        \($0)" }
  }
}
