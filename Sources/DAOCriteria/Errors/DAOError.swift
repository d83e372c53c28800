/// The errors that DAOKit throws.
///
/// Each case names the entity, the attribute and the value that does not fit, as far as there are any. The values bound to a failed
/// statement are left out, since logs outlive them.
public enum DAOError: Error, Sendable {
  /// A query that does not fit its entity; all problems together, at most 100, and at most 10 of the values of one list.
  case invalidCriteria(entity: String, problems: [DAOError.CriteriaProblem])
  /// A page token that can't be used, or not with this query.
  case pageToken(PageToken.Problem)
  /// A query in JSON whose form is of a later version than this library reads.
  case newerCriteria(version: Int, supported: Int)
  /// An entity description that contradicts itself.
  case invalidDescription(entity: String, problems: [String])
  /// A name that no entity of the store has.
  case unknownEntity(name: String, known: [String], nearest: String?)
  /// No visible row has this key.
  case notFound(entity: String, key: String)
  /// A row that somebody else changed since it was read. Nothing was written.
  case conflict(DAOError.Conflict)
  /// Rows of a relationship that were requested but not fetched, and the call that fetches them. Without a relationship the entity is the
  /// one that a reference leads to which the program made from a key.
  case notFetched(entity: String, relationship: String?, use: String)
  /// A value that does not fit its attribute.
  case invalidValue(entity: String, attribute: String, problem: String)
  /// A stored value that the attribute can't be read from. `row` counts from 0 within the result.
  case undecodable(entity: String, column: String, row: Int, problem: String)
  /// A rule of the schema that a write would break.
  case constraint(Constraint, entity: String, attributes: [String], message: String)
  /// A write through an entity, session or store that can only be read.
  case readOnly(entity: String?, reason: String)
  /// A delete or update without a filter and without the word that allows it.
  case unfiltered(operation: String, entity: String)
  /// A sum or function whose result does not fit its type.
  case overflow(entity: String, message: String)
  /// A query that took more work than its ``RunBudget`` allows, and was ended. Those of a ``CriteriaDecoder`` have a budget.
  case budgetExceeded(entity: String, limit: RunBudget.Limit)
  /// A call where it can't work, and the call to use instead.
  case misuse(String, use: String)
  /// Something that this store can't do.
  case unsupported(String)
  /// A call that did not end in time, and its activity. Its writes were rolled back.
  case timedOut(DAOError.Timeout, message: String)
  /// A call while its store is suspended; its writes were rolled back. See `DAOFactory.suspend(within:)`.
  case suspended
  /// A store that was closed, by its path.
  case closed(store: String)
  /// Entities that do not fit the store's schema, with every difference. A write outside a session may have stored its row where another
  /// program changed the schema in the same moment.
  case schemaMismatch(store: String, differences: [SchemaDifference])
  /// A store that can't be migrated to the entities without further hints, with every problem and the hints that would resolve it; the
  /// store is unchanged.
  case migration(store: String, problems: [DAOError.MigrationProblem])
  /// A store that could not be made ready from its seed.
  case bootstrap(DAOError.BootstrapProblem)
  /// An error of the engine.
  case engine(DAOError.EngineFailure)

  /// The kinds of constraint.
  public enum Constraint: String, Sendable, Hashable {
    /// Another row has this key.
    case primaryKey = "primary key"
    /// Another row has these values.
    case unique
    /// A row that this one points to is missing, or one still points to this.
    case foreignKey = "foreign key"
    /// A value is missing.
    case notNull = "not null"
    /// A CHECK of the schema.
    case check
    /// Any other.
    case other
  }
}
