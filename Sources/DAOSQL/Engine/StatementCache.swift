import DAOCriteria

/// The prepared statements of one connection, by what they were made from, so that a criteria of a known shape is neither rendered nor
/// compiled again. Bounded: the statements that were used longest ago go first.
public final class StatementCache {
  /// A kept statement.
  final class Entry {
    let entity: EntityDescription
    let source: Source
    /// The scope that the statement is confined to.
    let scope: Condition
    let plan: SQLPlan
    let statement: PreparedStatement?
    /// What is run instead where most rows of a sample fit.
    let choice: Choice?
    var lastUse = 0

    init(entity: EntityDescription, source: Source, scope: Condition, plan: SQLPlan, statement: PreparedStatement?, choice: Choice? = nil) {
      self.entity = entity
      self.source = source
      self.scope = scope
      self.plan = plan
      self.statement = statement
      self.choice = choice
    }

    /// Whether rows of the statement, or of the one that is chosen instead, are being read.
    var isInUse: Bool { statement?.isInUse == true || choice?.whereMostFit.statement?.isInUse == true }

    /// Whether the statement is that of a criteria's shape.
    func isFor(_ kind: StatementKind, _ criteria: Criteria, _ target: EntityTarget) -> Bool {
      guard entity === target.entity, case .criteria(let ownKind, let own) = source else { return false }
      return ownKind.hasShape(of: kind) && scope.hasShape(of: target.scope) && own.hasShape(of: criteria)
    }

    /// Whether it is this statement over one row.
    func isFor(_ statement: RowStatement, _ target: EntityTarget) -> Bool {
      guard entity === target.entity, case .row(let own) = source else { return false }
      return own == statement && scope.hasShape(of: target.scope)
    }
  }

  /// A second statement for the same, and what tells when it is the better one.
  struct Choice {
    let sample: Entry
    let whereMostFit: Entry
  }

  /// What a statement was made from.
  enum Source {
    /// A criteria, of whose shape the statement is.
    case criteria(StatementKind, Criteria)
    /// An entity's key or row.
    case row(RowStatement)
  }

  private let capacity: Int
  private var entries: [Int: [Entry]] = [:]
  // Those found last, each at the place that its hash's low bits have: a loop over one statement finds it here.
  private var recent = [Entry?](repeating: nil, count: recentCount)
  private static let recentCount = 64
  private var count = 0
  private var uses = 0

  /// An empty cache, for one statement at least.
  public init(capacity: Int = 512) { self.capacity = max(1, capacity) }

  /// The entry for a criteria's shape, if it is kept.
  func entry(hash: Int, _ kind: StatementKind, _ criteria: Criteria, _ target: EntityTarget) -> Entry? {
    if let recent = recent[place(hash)], recent.isFor(kind, criteria, target) { return used(recent) }
    guard let kept = entries[hash]?.first(where: { $0.isFor(kind, criteria, target) }) else { return nil }
    recent[place(hash)] = kept
    return used(kept)
  }

  /// The entry for a statement over one row, if it is kept.
  func entry(hash: Int, _ statement: RowStatement, _ target: EntityTarget) -> Entry? {
    if let recent = recent[place(hash)], recent.isFor(statement, target) { return used(recent) }
    guard let kept = entries[hash]?.first(where: { $0.isFor(statement, target) }) else { return nil }
    recent[place(hash)] = kept
    return used(kept)
  }

  /// Keeps a new entry.
  func keep(_ entry: Entry, hash: Int) -> Entry {
    if count >= capacity { evict() }
    entries[hash, default: []].append(entry)
    count += 1
    recent[place(hash)] = entry
    return used(entry)
  }

  private func place(_ hash: Int) -> Int { hash & (Self.recentCount - 1) }

  private func used(_ entry: Entry) -> Entry {
    uses += 1
    entry.lastUse = uses
    return entry
  }

  /// Forgets all statements.
  public func removeAll() {
    entries = [:]
    forgetRecent()
    count = 0
  }

  /// Forgets the quarter that was used longest ago.
  private func evict() {
    let oldest = entries.values.joined().map(\.lastUse).sorted()[capacity / 4]
    entries = entries.compactMapValues { kept in
      let newer = kept.filter { $0.lastUse > oldest || $0.isInUse }
      return newer.isEmpty ? nil : newer
    }
    count = entries.values.reduce(0) { $0 + $1.count }
    forgetRecent()
  }

  private func forgetRecent() { for place in recent.indices { recent[place] = nil } }
}
