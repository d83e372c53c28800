import DAOKit

/// An import that is run by the loop over it: ``DAO/importing(_:_:deletingAbsent:options:)``.
public struct ImportUpdates<E: Entity>: AsyncSequence, Sendable {
  /// The report after a transaction.
  public typealias Element = ImportReport

  let dao: DAO<E>
  let source: ImportSource
  let mapping: ImportMapping<E>
  let absent: Filter<E>?
  let options: ImportOptions

  /// Begins the import.
  public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

  /// Imports a transaction's records with each call.
  public struct Iterator: AsyncIteratorProtocol {
    let updates: ImportUpdates
    private var run: ImportRun<E>?

    init(updates: ImportUpdates) { self.updates = updates }

    /// Stores the next records.
    /// - Returns: the report of all so far; nil after the last.
    /// - Throws: the errors of `import`.
    public mutating func next() async throws -> ImportReport? {
      let run = try self.run ?? ImportRun(updates.dao, updates.source, updates.mapping, absent: updates.absent, updates.options)
      self.run = run
      if run.isOver { return nil }
      _ = try await updates.dao.context.store.perform(.write) { try run.step() }
      return run.report
    }
  }
}
