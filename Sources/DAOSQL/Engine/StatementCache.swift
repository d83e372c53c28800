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
    var lastUse = 0

    init(entity: EntityDescription, source: Source, scope: Condition, plan: SQLPlan, statement: PreparedStatement?) {
      self.entity = entity
      self.source = source
      self.scope = scope
      self.plan = plan
      self.statement = statement
    }

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

  /// An empty cache.
  public init(capacity: Int = 512) { self.capacity = capacity }

  /// The entry of this hash that `isRight` accepts; a new one where there is none.
  @inline(__always)
  func entry(hash: Int, where isRight: (Entry) -> Bool, make: () throws -> Entry) rethrows -> Entry {
    uses += 1
    let place = hash & (Self.recentCount - 1)
    let candidate = recent[place]
    if let candidate, isRight(candidate) {
      candidate.lastUse = uses
      return candidate
    }
    let entry = try kept(hash: hash, where: isRight) ?? keep(try make(), hash: hash)
    entry.lastUse = uses
    recent[place] = entry
    return entry
  }

  private func kept(hash: Int, where isRight: (Entry) -> Bool) -> Entry? {
    guard let candidates = entries[hash] else { return nil }
    return candidates.first(where: isRight)
  }

  private func keep(_ entry: Entry, hash: Int) -> Entry {
    if count >= capacity { evict() }
    entries[hash, default: []].append(entry)
    count += 1
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
      let newer = kept.filter { $0.lastUse > oldest || $0.statement?.isInUse == true }
      return newer.isEmpty ? nil : newer
    }
    count = entries.values.reduce(0) { $0 + $1.count }
    forgetRecent()
  }

  private func forgetRecent() { for place in recent.indices { recent[place] = nil } }
}
