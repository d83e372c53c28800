import DAOCriteria
import DAOSQL

extension SQLiteUnitStore: UnitStore {
  package func commit(_ policy: ConflictPolicy) throws -> CommitResult { try unit.commit(policy) }

  package func preview(_ policy: ConflictPolicy) throws -> UnitPreview { try unit.preview(policy) }

  package func rollback() throws { try unit.rollback() }

  package func goBack(_ direction: EditList.Direction) throws -> (isDone: Bool, name: String?) { try unit.goBack(direction) }

  package func steps(_ direction: EditList.Direction) throws -> [String?] {
    try unit.alone(.statement) { (direction == .undo ? unit.edits.undoable : unit.edits.redoable).reversed().map(\.name) }
  }

  package func keepSteps(_ count: Int) throws { try unit.alone(.statement) { unit.edits.stepLimit = count } }

  package func group<Result>(named name: String?, _ body: () throws -> Result) throws -> Result {
    try unit.group(named: name, body)
  }

  package func refresh(_ entity: (description: EntityDescription, key: [StoredValue])?, keeping side: RefreshedSide) throws {
    try unit.refresh(entity, keeping: side)
  }

  package func changes() throws -> UnitChanges { try unit.looking { unit.unitChanges } }

  package func hasChanges() throws -> Bool { try unit.looking { unit.parent == nil ? unit.edits.hasChanges : !unit.changes.isEmpty } }

  package func child() -> any UnitStore { SQLiteUnitStore(SQLiteUnit(unit.engine, parent: unit)) }
}
