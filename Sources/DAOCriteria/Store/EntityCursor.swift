/// The entities that a query finds, one at a time, in little memory however many they are.
///
/// ```swift
/// let longest = try zones.withCursor(.where(\.offset > 0)) { cursor in
///   var longest = ""
///   while let zone = try cursor.next() { if zone.name.count > longest.count { longest = zone.name } }
///   return longest
/// }
/// ```
///
/// It is valid until the closure that it was handed to ends.
public final class EntityCursor<E: Entity> {
  // The rows that were read; those from `position` on are yet to be handed out.
  @usableFromInline var entities: [E] = []
  @usableFromInline var position = 0
  // Reads the rows that follow; nil where there are none.
  private var read: (() throws -> EntityBatch<E>)?
  private var isOpen = true

  private init(_ read: @escaping () throws -> EntityBatch<E>) { self.read = read }

  /// Runs a body with a cursor, which ends with it. This is for stores: a DAO has `withCursor`.
  /// - Parameter read: reads the batch that follows; after the last or an error it is not called again.
  public static func run<Result>(
    over read: @escaping () throws -> EntityBatch<E>, _ body: (EntityCursor<E>) throws -> Result
  ) rethrows -> Result {
    let cursor = EntityCursor(read)
    defer { cursor.close() }
    return try body(cursor)
  }

  /// The next entity; nil at the end, and after an error.
  /// - Throws: ``DAOError/undecodable(entity:column:row:problem:)`` and others; ``DAOError/misuse(_:use:)`` after the closure's end.
  @inlinable
  public func next() throws -> E? {
    if position == entities.count, try !readOn() { return nil }
    defer { position += 1 }
    return entities[position]
  }

  /// Reads the rows that follow and says whether there are any.
  @usableFromInline
  func readOn() throws -> Bool {
    guard isOpen else {
      throw DAOError.misuse("a cursor was used after the closure that it belongs to", use: "withCursor, and the cursor inside its closure")
    }
    guard let read else { return false }
    // After an error there is nothing to go on with.
    self.read = nil
    let batch = try read()
    if !batch.isLast { self.read = read }
    entities = batch.entities
    position = 0
    return !entities.isEmpty
  }

  /// The rows that follow, as many as are read at once.
  func nextBatch() throws -> EntityBatch<E> {
    _ = try readOn()
    position = entities.count
    return EntityBatch(entities, isLast: read == nil)
  }

  private func close() {
    isOpen = false
    read = nil
    entities = []
    position = 0
  }
}

// A cursor belongs to the thread that its closure runs on.
@available(*, unavailable)
extension EntityCursor: Sendable {}
