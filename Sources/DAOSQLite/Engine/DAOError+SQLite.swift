import DAOCriteria
import DAOSQL
import GRDB
import GRDBSQLite

extension DAOError {
  /// GRDB's error as one of ours. The arguments stay behind.
  init(_ error: DatabaseError, entity: EntityDescription?) {
    self.init(
      DAOError.EngineFailure(
        code: error.extendedResultCode.rawValue, message: error.message ?? "\(error.resultCode)", sql: error.sql,
        argumentCount: error.sql.map(SQLTokens.parameterCount) ?? 0),
      entity: entity)
  }

  /// An engine's failure, as the case that it stands for where there is one.
  init(_ failure: DAOError.EngineFailure, entity: EntityDescription?) {
    if failure.code & 0xFF == SQLITE_ERROR, let undecodable = UndecodableMessage(failure.message) {
      self = undecodable.error
      return
    }
    let name = entity?.name ?? "the store"
    switch failure.code & 0xFF {
    case SQLITE_CONSTRAINT:
      self = .constraint(
        Self.constraint(failure), entity: name, attributes: Self.attributes(in: failure.message, entity), message: failure.message)
    case SQLITE_READONLY: self = .readOnly(entity: entity?.name, reason: failure.message)
    // The parser's own limit lies a little beyond that of a query, whose parts may be deep together.
    case SQLITE_ERROR where failure.message.contains("parser stack overflow"):
      self = .invalidCriteria(entity: name, problems: [DAOError.CriteriaProblem(path: "", message: "the criteria are nested too deep")])
    // Some values are two parameters: those of a prefix, and instants kept as seconds.
    case SQLITE_ERROR
    where failure.message.contains("too many SQL variables") || failure.message.contains("variable number must be between"):
      self = .invalidCriteria(
        entity: name, problems: [DAOError.CriteriaProblem(path: "", message: "has more values than a statement takes")])
    // SQLite has no code of its own for an overflow: https://sqlite.org/lang_aggfunc.html#sumunc.
    case SQLITE_ERROR where failure.message.contains("overflow"): self = .overflow(entity: name, message: failure.message)
    case SQLITE_TOOBIG where failure.message == "string or blob too big":
      let message = "a text, bytes or a whole row are longer than the store's limit, which limitingLength(to:) of StoreDescription sets"
      self = .engine(DAOError.EngineFailure(code: failure.code, message: message, sql: failure.sql, argumentCount: failure.argumentCount))
    default: self = .engine(failure)
    }
  }

  private static func constraint(_ failure: DAOError.EngineFailure) -> Constraint {
    switch ResultCode(rawValue: failure.code) {
    // The failure of `ON DELETE RESTRICT` and `ON UPDATE RESTRICT`, which SQLite implements as triggers.
    case .SQLITE_CONSTRAINT_TRIGGER where failure.message == "FOREIGN KEY constraint failed": .foreignKey
    case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: .primaryKey
    case .SQLITE_CONSTRAINT_UNIQUE: .unique
    case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKey
    case .SQLITE_CONSTRAINT_NOTNULL: .notNull
    case .SQLITE_CONSTRAINT_CHECK: .check
    default: .other
    }
  }

  /// The attributes that SQLite's message names: "UNIQUE constraint failed: zone.name, zone.country".
  private static func attributes(in message: String, _ entity: EntityDescription?) -> [String] {
    guard let entity, let list = message.split(separator: ": ", maxSplits: 1).last else { return [] }
    // The table as the schema spells it.
    let prefix = entity.table + "."
    return list.split(separator: ", ").compactMap { qualified in
      let name = qualified.utf8.prefix(prefix.utf8.count)
      guard SchemaName.same(Substring(name), prefix) else { return nil }
      let column = String(qualified[name.endIndex...])
      return entity.attributes.first { SchemaName.same($0.column, column) }?.name ?? column
    }
  }
}
