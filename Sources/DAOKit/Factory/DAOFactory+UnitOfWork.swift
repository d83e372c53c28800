import DAOSQL
import DAOSQLite

extension DAOFactory {
  /// A new unit of work over the store.
  /// - Throws: ``DAOError/unsupported(_:)`` over a store of another kind than SQLite and the evaluator.
  public final func unitOfWork() throws -> UnitOfWork {
    if let engine = (store as? EngineStore)?.engine as? SQLiteEngine {
      return UnitOfWork(SQLiteUnitStore(over: engine), catalog, engine.feed)
    }
    throw DAOError.unsupported("a unit of work over a store that is neither SQLite's nor the evaluator's")
  }
}
