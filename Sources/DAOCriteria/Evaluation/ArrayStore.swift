import Foundation

/// A row in stored form, in the order of its entity's attributes.
public typealias StoredRow = [StoredValue]

/// An entity store over arrays, for tests: what criteria mean, written without SQL.
///
/// It knows keys, generated ones too, unique indexes, required attributes, scopes, upserts and transactions. It has no foreign keys, and takes
/// it that a criteria is valid: it reports only what it can't evaluate.
public final class ArrayStore: EntityStore, @unchecked Sendable {
  private let descriptions: [EntityDescription]
  // Held during each call, and during a whole read or write.
  private let lock = NSRecursiveLock()
  private var tables: [String: [StoredRow]] = [:]

  /// An empty store for entities.
  public init(_ entities: [EntityDescription]) { descriptions = entities }

  /// The entities that the store was made for.
  public func entities() -> [EntityDescription] { descriptions }

  /// Runs a body while nobody else writes.
  public func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result { try lock.withLock { try body(self) } }

  /// Runs a body and puts everything back when it throws; so does a write inside it with its own part.
  public func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result { try atomic { try body(self) } }

  /// Runs a body on a queue of Dispatch.
  public func perform<Result: Sendable>(
    isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  func atomic<Result>(_ body: () throws -> Result) throws -> Result {
    try lock.withLock {
      let before = tables
      do { return try body() } catch {
        tables = before
        throw error
      }
    }
  }

  subscript(_ entity: EntityDescription) -> [StoredRow] {
    get { lock.withLock { tables[entity.table] ?? [] } }
    set { lock.withLock { tables[entity.table] = newValue } }
  }
}
