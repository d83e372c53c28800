import DAOCriteria

/// The prepared statements of one connection, by their sources, so that a query of a known shape is neither rendered nor compiled again.
/// Bounded: the statements that were used longest ago go first.
package final class StatementCache {
  /// A kept statement.
  final class Entry {
    let entity: EntityDescription
    let source: Source
    let plan: SQLPlan
    let statement: PreparedStatement?
    /// The alternative statement that runs where most rows of a sample match.
    let choice: Choice?
    var lastUse = 0
    /// How many rows it yielded last.
    var lastCount = 0

    init(entity: EntityDescription, source: Source, plan: SQLPlan, statement: PreparedStatement?, choice: Choice? = nil) {
      self.entity = entity
      self.source = source
      self.plan = plan
      self.statement = statement
      self.choice = choice
    }

    /// Whether rows of the statement, or of the one that is chosen instead, are being read.
    var isInUse: Bool { statement?.isInUse == true || choice?.whereMostFit.statement?.isInUse == true }
  }

  /// A second statement for the same query, and the sample that decides when it is the better one.
  struct Choice {
    let sample: Entry
    let whereMostFit: Entry
  }

  /// The source of a statement.
  enum Source: Equatable {
    /// A query's shape, scope included.
    case criteria(ShapeWords)
    /// An entity's key or row; nil where there is no scope.
    case row(RowStatement, scope: ShapeWords?)
  }

  private let capacity: Int
  private var entries: [Int: [Entry]] = [:]
  // The entries found last, each at the index given by its hash's low bits: a loop over one statement finds it here. Nothing called while
  // it is read changes it: exclusive access need not be checked at each call.
  @exclusivity(unchecked) private var recent = [Entry?](repeating: nil, count: recentCount)
  private static let recentCount = 64
  /// The statement without a scope that last found a row by its key. Looking it up among the others takes a fiftieth of a find by key.
  @exclusivity(unchecked) var lastFind: Entry?
  private var count = 0
  private var uses = 0

  /// The entities that are known to fit.
  package let checked: CheckedEntities

  /// The cached knowledge of the schema.
  @exclusivity(unchecked) var notes = SchemaNotes()

  /// An empty cache, for one statement at least.
  package init(capacity: Int = 512, checked: CheckedEntities = CheckedEntities()) {
    self.capacity = max(1, capacity)
    self.checked = checked
  }

  /// The entry for a source of a statement, if it is kept.
  func entry(hash: Int, _ source: Source, of entity: EntityDescription) -> Entry? {
    if let recent = recent[place(hash)], recent.entity === entity, recent.source == source { return used(recent) }
    guard let kept = entries[hash]?.first(where: { $0.entity === entity && $0.source == source }) else { return nil }
    recent[place(hash)] = kept
    return used(kept)
  }

  /// The last statement that found a row by its key, where it was one of this entity.
  @inline(__always)
  func lastFind(of entity: EntityDescription) -> Entry? {
    guard let lastFind, lastFind.entity === entity else { return nil }
    return used(lastFind)
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
  package func removeAll() {
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

  private func forgetRecent() {
    lastFind = nil
    for place in recent.indices { recent[place] = nil }
  }
}
