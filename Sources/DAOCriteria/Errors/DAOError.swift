/// Everything that DAOKit throws.
///
/// Each case names the entity, the attribute and the value that does not fit, as far as there are any. What was bound to a statement that
/// failed is left out, since logs outlive it.
public enum DAOError: Error, Sendable {
  /// A criteria that does not fit its entity; all problems together.
  case invalidCriteria(entity: String, problems: [CriteriaProblem])
  /// A page token that can't be used, or not with this criteria.
  case pageToken(PageTokenProblem)
  /// A criteria in JSON whose form is of a later version than this library reads.
  case newerCriteria(version: Int, supported: Int)
  /// An entity description that contradicts itself.
  case invalidDescription(entity: String, problems: [String])
  /// A name that no entity of the store has.
  case unknownEntity(name: String, known: [String], nearest: String?)
  /// No visible row has this key.
  case notFound(entity: String, key: String)
  /// Rows of a relationship were asked for and had not been fetched, and what fetches them. Without a relationship the entity is the one
  /// that a reference leads to which the program made from a key.
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
  /// A call in a place where it can't work, and the call to use instead.
  case misuse(String, use: String)
  /// Something that this store can't do.
  case unsupported(String)
  /// A call that did not end in time, and what it was waiting for or doing. What it had written was rolled back.
  case timedOut(Timeout, message: String)
  /// A call while its store is suspended; what it had written was rolled back. See `DAOFactory.suspend(within:)`.
  case suspended
  /// A store that was closed, by its path.
  case closed(store: String)
  /// Entities that do not fit the store's schema, with every difference. A write by itself, in no session, may have stored its row where
  /// another program changed the schema in the same moment.
  case schemaMismatch(store: String, differences: [SchemaDifference])
  /// A store that can't be migrated to the entities without being told more, with every problem and the hints that fit; it is as it was.
  case migration(store: String, problems: [MigrationProblem])
  /// A store that could not be made ready from its seed.
  case bootstrap(BootstrapProblem)
  /// An error of the engine.
  case engine(EngineFailure)

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

/// One thing that is wrong with a criteria.
public struct CriteriaProblem: Sendable, Hashable, CustomStringConvertible {
  /// The field path at fault, or the place in the JSON; empty where the problem is with the whole.
  public let path: String
  /// What is wrong, in one sentence.
  public let message: String
  /// The nearest name there is, where a name is unknown.
  public let suggestion: String?

  /// A problem.
  public init(path: String, message: String, suggestion: String? = nil) {
    self.path = path
    self.message = message
    self.suggestion = suggestion
  }

  /// Path, sentence and suggestion in one line.
  public var description: String {
    (path.isEmpty ? "" : "\(path): ") + message + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
  }
}

/// One difference between an entity and the store's schema.
public struct SchemaDifference: Sendable, Hashable, CustomStringConvertible {
  /// The entity.
  public let entity: String
  /// The column, index or foreign key; empty where the table itself differs.
  public let element: String
  /// What the entity says.
  public let expected: String
  /// What the store has.
  public let found: String
  /// What to declare instead, in one sentence; nil where nothing but a change of the store helps.
  public let advice: String?

  /// A difference.
  public init(entity: String, element: String, expected: String, found: String, advice: String? = nil) {
    self.entity = entity
    self.element = element
    self.expected = expected
    self.found = found
    self.advice = advice
  }

  /// The difference in one line.
  public var description: String { "\(place): \(sentence)" }

  /// Entity and element: `zone.name`.
  var place: String { entity + (element.isEmpty ? "" : ".\(element)") }

  /// Both sides, and the advice.
  var sentence: String { "the entity has \(expected), the store has \(found)" + (advice.map { "; \($0)" } ?? "") }
}

/// One thing that keeps a store from being migrated to its entities.
public struct MigrationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The entity; the table's name where no entity has it.
  public let entity: String
  /// The attribute or column; empty where it is the table.
  public let element: String
  /// What is wrong, in one sentence, with the values that are in the way.
  public let message: String
  /// What would say how it is meant, as Swift; one of them is to be chosen.
  public let hints: [String]

  /// A problem.
  public init(entity: String, element: String, message: String, hints: [String] = []) {
    self.entity = entity
    self.element = element
    self.message = message
    self.hints = hints
  }

  /// The problem and its hints in one line.
  public var description: String {
    "\(entity)\(element.isEmpty ? "" : ".\(element)"): \(message)" + (hints.isEmpty ? "" : "; say " + hints.joined(separator: " or "))
  }
}

/// An error that the engine reported.
public struct EngineFailure: Sendable, Hashable {
  /// The engine's (extended) code.
  public let code: Int32
  /// The engine's message.
  public let message: String
  /// The statement, with placeholders for its values.
  public let sql: String?
  /// How many values the statement takes; the values themselves are left out.
  public let argumentCount: Int

  /// A failure with code and message.
  public init(code: Int32, message: String, sql: String? = nil, argumentCount: Int = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.argumentCount = argumentCount
  }
}

/// Why a store could not be made ready. Every case names the file.
public struct BootstrapProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Kind: String, Sendable, Hashable {
    /// The seed is not there.
    case missingSeed
    /// The seed, the store or what lies under a name that is kept beside them is a folder, a link or a pipe.
    case notAFile
    /// The seed has no bytes.
    case emptySeed
    /// The seed is no SQLite database.
    case notADatabase
    /// The seed ends too early, or its pages do not add up.
    case truncated
    /// The seed is in WAL mode and the file with its last commits is not beside it.
    case missingWAL
    /// The seed is in WAL mode and can't be used where it lies, read-only.
    case walMode
    /// SQLite's own check found damage.
    case corrupt
    /// The file belongs to another application.
    case wrongApplication
    /// The file's text is UTF-16, which does not sort as a store's text does.
    case wrongEncoding
    /// The file is of a later version than the app.
    case newerVersion
    /// The store's folder or file can't be written.
    case unwritable
    /// The disk is full.
    case diskFull
    /// The store is to be upgraded to a newer seed, and the copy of its own seed is missing or damaged, so that it is not known what that held.
    case missingBase
    /// The manifest that the seed requires is not there, can't be read or says otherwise than the seed.
    case manifest
    /// An interrupted writer's `-journal` names another file, which SQLite would delete.
    case foreignJournal
    /// Another process holds the store's lock for too long.
    case locked
    /// Any other failure of the system.
    case system
  }

  /// What kind of problem.
  public let kind: Kind
  /// The file at fault.
  public let path: String
  /// What is wrong, in one sentence.
  public let message: String

  /// A problem with a file.
  public init(_ kind: Kind, path: String, _ message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }

  /// File and sentence.
  public var description: String { "\(path): \(message)" }
}
