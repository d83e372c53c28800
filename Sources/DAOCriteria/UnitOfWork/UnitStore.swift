/// The store of a unit of work: an entity store over the edits of the unit.
package protocol UnitStore: EntityStore {
  /// Writes the edits into what the unit is over.
  func commit(_ policy: ConflictPolicy) throws -> CommitResult

  /// What a commit would do now.
  func preview(_ policy: ConflictPolicy) throws -> UnitPreview

  /// Forgets all edits.
  func rollback() throws

  /// Takes the last step back, or does it again.
  func goBack(_ direction: EditList.Direction) throws -> (isDone: Bool, name: String?)

  /// The steps that can be undone or redone, by their names, the next first.
  func steps(_ direction: EditList.Direction) throws -> [String?]

  /// Sets how many steps are kept.
  func keepSteps(_ count: Int) throws

  /// Runs a body whose edits are one step with a name.
  func group<Result>(named name: String?, _ body: () throws -> Result) throws -> Result

  /// Compares the edits with what the unit is over, and bases them on that.
  /// - Parameter entity: the entity and the key of the one row that is meant; nil for all.
  func refresh(_ entity: (description: EntityDescription, key: [StoredValue])?, keeping side: RefreshedSide) throws

  /// The edits.
  func changes() throws -> UnitChanges

  /// Whether there are edits.
  func hasChanges() throws -> Bool

  /// A unit that commits into this one.
  func child() -> any UnitStore
}
