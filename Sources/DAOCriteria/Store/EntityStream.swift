/// The entities of a query, one at a time with `await`, in little memory however many they are.
///
/// ```swift
/// for try await zone in zones.stream(.where(\.offset > 0)) { … }
/// ```
///
/// The store is not queried before the first entity is requested. Each loop over a stream is a run of its own: it has its own connection
/// and sees one snapshot, whatever is written meanwhile. The connection is returned when the loop ends, is left by `break`, `return` or a
/// throw, or finds its task cancelled, which throws `CancellationError`. The loop's body may call DAOs of the same store.
///
/// Rows are read in batches, off Swift's cooperative threads, and a row of a batch that has been read is handed out without suspending, on
/// any actor. The first batch is one row, the others as many as take about a millisecond; a prefetch of the criteria runs its statements
/// once for each batch.
public struct EntityStream<E: Entity>: AsyncSequence, Sendable {
  /// Its elements.
  public typealias Element = E

  private let store: any EntityStore
  private let target: EntityTarget
  private let criteria: Criteria

  /// The entities that a query finds in a store.
  public init(_ store: any EntityStore, in target: EntityTarget, _ criteria: Criteria) {
    self.store = store
    self.target = target
    self.criteria = criteria
  }

  /// A new run.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// One run over a stream.
  public struct Iterator: AsyncIteratorProtocol {
    // The rows that were read; those from `position` on are yet to be handed out.
    @usableFromInline var entities: [E] = []
    @usableFromInline var position = 0
    private let stream: EntityStream
    // Nil before the first row, and from the last batch on.
    private var run: Run?
    private var isEnded = false

    init(_ stream: EntityStream) { self.stream = stream }

    /// The next entity; nil at the end, and after an error. It stays on the caller's actor.
    /// - Throws: ``DAOError``, `CancellationError`.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> E? {
      if position == entities.count || Task.isCancelled {
        guard try await readOn(isolation: actor) else { return nil }
      }
      defer { position += 1 }
      return entities[position]
    }

    #if compiler(>=6.2)
      /// The next entity; nil at the end, and after an error. It stays on the caller's actor.
      /// - Throws: ``DAOError``, `CancellationError`.
      @inlinable
      public nonisolated(nonsending) mutating func next() async throws -> E? { try await next(isolation: #isolation) }
    #else
      /// The next entity; nil at the end, and after an error.
      /// - Throws: ``DAOError``, `CancellationError`.
      @inlinable
      public mutating func next() async throws -> E? { try await next(isolation: nil) }
    #endif

    /// Reads the rows that follow and says whether there are any.
    @usableFromInline
    mutating func readOn(isolation actor: isolated (any Actor)?) async throws -> Bool {
      if isEnded, position == entities.count { return false }
      do {
        // Rows that are left behind make this an error even where the last batch was read.
        try Task.checkCancellation()
        let run = try run ?? Run(stream.store.batches(E.self, in: stream.target, stream.criteria))
        self.run = run
        let batches = run.batches
        let batch = try await stream.store.perform(.read, isolation: actor) { try batches.next() }
        if batch.isLast { end() }
        entities = batch.entities
        position = 0
        return !entities.isEmpty
      } catch {
        end()
        throw error
      }
    }

    /// Releases the resources of the run.
    private mutating func end() {
      isEnded = true
      entities = []
      position = 0
      run?.batches.close()
      run = nil
    }
  }

  /// The resources of a run, released at the latest when the iterator is released.
  private final class Run {
    let batches: EntityBatches<E>
    init(_ batches: EntityBatches<E>) { self.batches = batches }
    deinit { batches.close() }
  }
}
