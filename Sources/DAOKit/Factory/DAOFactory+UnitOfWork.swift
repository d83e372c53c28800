import DAOSQL
import DAOSQLite

extension DAOFactory {
  /// A new unit of work over the store.
  /// - Throws: ``DAOError/unsupported(_:)`` over a store that is not a SQLite store, such as the evaluator.
  public final func unitOfWork() throws -> UnitOfWork {
    if let engine = (store as? EngineStore)?.engine as? SQLiteEngine {
      return UnitOfWork(SQLiteUnitStore(over: engine), catalog, engine.feed)
    }
    throw DAOError.unsupported("only a SQLite store has units of work")
  }
}
