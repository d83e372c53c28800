/// Edits that are collected before they are stored: they are committed together, or they go.
///
/// ```swift
/// let work = try factory.unitOfWork()
/// let zones = work.dao(ZoneDAO.init)
///
/// var paris = try zones.find(7)
/// paris.offset = 3600
/// try zones.update(paris)
///
/// try zones.count(.where(\.offset == 3600))     // Paris is counted
/// try work.commit()                             // .committed(changes)
/// ```
///
/// Its DAOs answer as if the edits were stored. Until the commit the store is unchanged, nobody else sees them, and no lock is held between
/// two calls. Constraints of the store are checked by ``preview(resolving:)`` and ``commit(resolving:)-(ConflictPolicy)``; foreign keys
/// that cascade do so at once, triggers do not run. A search in a table with edits is ``DAOError/unsupported(_:)``.
///
/// It can be shared by all threads: calls take turns. It is not used inside a closure of its factory, whose DAOs are not used inside of its
/// own closures either: that is ``DAOError/misuse(_:use:)``.
public final class UnitOfWork: DAOMaker, Sendable {
  /// The store of its DAOs.
  public var store: any EntityStore { unit }

  private let unit: any UnitStore
  private let catalog: EntityCatalog
  // That of the store which a commit writes; nil for a child.
  private let feed: ChangeFeed?

  init(_ unit: any UnitStore, _ catalog: EntityCatalog, _ feed: ChangeFeed? = nil) {
    self.unit = unit
    self.catalog = catalog
    self.feed = feed
  }

  /// The entity of a table or view, read from the store's schema.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)`` with the known names.
  public func entity(named name: String) throws -> EntityDescription { try catalog.entity(named: name, in: unit) }

  /// A unit that begins with the edits of this one, follows them, and commits into it.
  ///
  /// What it commits is one step of this unit, and reaches the store when this one is committed. A row that both have edited is a conflict
  /// of its commit.
  public func child() -> UnitOfWork { UnitOfWork(unit.child(), catalog) }

  // MARK: Commit

  /// Stores the edits in one transaction, and forgets them.
  ///
  /// Each row is first compared with the store, unless nobody has committed anything meanwhile: one that somebody else has changed or
  /// deleted since the unit read it is a conflict. Rows are written in the order of foreign keys, and of those only what was changed.
  ///
  /// ```sql
  /// BEGIN IMMEDIATE
  /// SELECT id, name, offset FROM zone WHERE id = ?
  /// UPDATE zone SET offset = ? WHERE id = ?
  /// COMMIT
  /// ```
  /// - Returns: what was stored, with the keys that the store has generated.
  /// - Throws: ``DAOError/conflict(_:)``, ``DAOError/constraint(_:entity:attributes:message:)``, ``DAOError/readOnly(entity:reason:)``. The
  ///   store and the unit are then as they were, to be corrected and committed again.
  @discardableResult
  public func commit(resolving policy: ConflictPolicy = .refuse) throws -> CommitResult { try unit.commit(policy) }

  /// ``commit(resolving:)-(ConflictPolicy)`` where it blocks no thread of Swift's concurrency. It returns when the live queries that the
  /// commit may have changed have their results, so what the caller's actor shows is up to date. A loop that does not wait for a result,
  /// since its body is still at work, is not waited for. A thread that blocks until this returns must not be that of such a loop: the main
  /// one for views.
  @discardableResult
  public func commit(resolving policy: ConflictPolicy = .refuse) async throws -> CommitResult {
    let (unit, queries) = (unit, feed?.liveQueries)
    let (result, marked) = try await unit.perform(.write) {
      try queries?.collecting { try unit.commit(policy) } ?? (try unit.commit(policy), [])
    }
    for loop in marked { await loop.settle() }
    return result
  }

  /// What a commit would do now, without doing it: it is done in a transaction that is rolled back.
  public func preview(resolving policy: ConflictPolicy = .refuse) throws -> UnitPreview { try unit.preview(policy) }

  /// Forgets all edits.
  public func rollback() throws { try unit.rollback() }

  /// Whether there are edits that a commit would store.
  public var hasChanges: Bool { get throws { try unit.hasChanges() } }

  /// The edits, each row before and after.
  public var changes: UnitChanges { get throws { try unit.changes() } }

  /// Compares the edits with the store, and bases them on the rows that it has now, so that these are no conflicts any more.
  /// - Throws: ``DAOError/unsupported(_:)`` for a unit that commits into another.
  public func refresh(keeping side: RefreshedSide) throws { try unit.refresh(nil, keeping: side) }

  /// ``refresh(keeping:)`` of one entity.
  public func refresh<E: Entity>(_ entity: E, keeping side: RefreshedSide) throws {
    let description = (entity as? DynamicEntity)?.entity ?? E.entityDescription
    try unit.refresh((description, description.key(of: try description.storedValues(of: entity))), keeping: side)
  }

  // MARK: Undo

  /// Runs a body whose edits are one step, all or none: what it edited goes when it throws.
  /// - Parameter name: the name of the step, as a menu shows it.
  @discardableResult
  public func group<Result>(_ name: String? = nil, _ body: () throws -> Result) throws -> Result { try unit.group(named: name, body) }

  /// Takes the last step back: one group, or one call of a DAO.
  /// - Returns: whether there was one.
  @discardableResult
  public func undo() throws -> Bool { try unit.goBack(.undo).isDone }

  /// Does the step again that was undone last. Any other edit since then has ended that.
  /// - Returns: whether there was one.
  @discardableResult
  public func redo() throws -> Bool { try unit.goBack(.redo).isDone }

  /// The names of the steps that can be undone, the next one first; nil for a step without a name.
  public var undoNames: [String?] { get throws { try unit.steps(.undo) } }

  /// The names of the steps that can be redone, the next one first.
  public var redoNames: [String?] { get throws { try unit.steps(.redo) } }

  /// Sets how many steps can be undone; 100 without it. The oldest go first.
  public func limitUndo(to count: Int) throws { try unit.keepSteps(count) }
}
