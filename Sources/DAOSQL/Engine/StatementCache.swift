import DAOCriteria

/// The prepared statements of one connection, by what they were made from, so that a criteria of a known shape is neither rendered nor
/// compiled again. Bounded: the statements that were used longest ago go first.
public final class StatementCache {
  /// A kept statement.
  final class Entry {
    let entity: EntityDescription
    let kind: Kind
    let plan: SQLPlan
    let statement: PreparedStatement?
    var lastUse = 0

    init(entity: EntityDescription, kind: Kind, plan: SQLPlan, statement: PreparedStatement?) {
      self.entity = entity
      self.kind = kind
      self.plan = plan
      self.statement = statement
    }
  }

  /// What a statement was made from.
  enum Kind {
    /// A criteria, of whose shape the statement is.
    case criteria(StatementKind, Criteria)
    /// An entity's key or row, within a scope.
    case row(RowStatement, scope: Condition)

    func isFor(_ kind: StatementKind, _ criteria: Criteria, _ scope: Condition) -> Bool {
      guard case .criteria(let ownKind, let own) = self else { return false }
      return ownKind.hasShape(of: kind) && own.scope.hasShape(of: scope) && own.hasShape(of: criteria)
    }

    func isFor(_ statement: RowStatement, _ scope: Condition) -> Bool {
      guard case .row(let own, let ownScope) = self else { return false }
      return own == statement && ownScope.hasShape(of: scope)
    }
  }

  private let capacity: Int
  private var entries: [Int: [Entry]] = [:]
  private var count = 0
  private var uses = 0

  /// An empty cache.
  public init(capacity: Int = 512) { self.capacity = capacity }

  /// The entry of an entity that `isRight` accepts; a new one where there is none.
  func entry(hash: Int, entity: EntityDescription, where isRight: (Kind) -> Bool, make: () throws -> Entry) rethrows -> Entry {
    uses += 1
    let hash = hash ^ Int(bitPattern: ObjectIdentifier(entity))
    if let candidates = entries[hash] {
      for candidate in candidates where candidate.entity === entity && isRight(candidate.kind) {
        candidate.lastUse = uses
        return candidate
      }
    }
    let entry = try make()
    entry.lastUse = uses
    if count >= capacity { evict() }
    entries[hash, default: []].append(entry)
    count += 1
    return entry
  }

  /// Forgets all statements.
  public func removeAll() {
    entries = [:]
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
  }
}
