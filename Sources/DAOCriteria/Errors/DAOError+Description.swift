import Foundation

extension DAOError: CustomStringConvertible, LocalizedError {
  /// The error in words.
  public var description: String {
    switch self {
    case .invalidCriteria(let entity, let problems):
      "the criteria do not fit \(entity): " + problems.map(\.description).joined(separator: "; ")
    case .pageToken(let problem): "the page token \(problem.rawValue)"
    case .newerCriteria(let version, let supported):
      "the criteria are of version \(version) of their form; this library reads version \(supported)"
    case .invalidDescription(let entity, let problems):
      "the description of \(entity) is not sound: " + problems.joined(separator: "; ")
    case .unknownEntity(let name, let known, let nearest):
      "there is no entity '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "") + " There are: \(known.joined(separator: ", "))"
    case .notFound(let entity, let key): "no \(entity) has the key \(key)"
    case .conflict(let conflict): conflict.description
    case .notFetched(let entity, let relationship?, let use): "\(entity).\(relationship) was not fetched; use \(use)"
    case .notFetched(let entity, nil, let use): "this \(entity) was not fetched, only its key is known; use \(use)"
    case .invalidValue(let entity, let attribute, let problem): "\(entity).\(attribute) \(problem)"
    case .undecodable(let entity, let column, let row, let problem): "\(entity).\(column) in row \(row) \(problem)"
    // Which of the store's keys it is, is not known: perhaps one of another table, that a trigger has written to.
    case .constraint(.foreignKey, let entity, [], let message): "a write to \(entity) breaks a foreign key: \(message)"
    case .constraint(let constraint, let entity, let attributes, let message):
      "the \(constraint.rawValue) constraint of \(entity)"
        + (attributes.isEmpty ? "" : " on \(attributes.joined(separator: ", "))") + " does not hold: \(message)"
    case .readOnly(let entity, let reason): (entity.map { "\($0) can't be written: " } ?? "can't write: ") + reason
    case .unfiltered(let operation, let entity):
      "\(operation) of \(entity) has no filter and would touch every row; pass allowUnfiltered: true if that is meant"
    case .overflow(let entity, let message): "a result over \(entity) does not fit its type: \(message)"
    case .budgetExceeded(let entity, let limit):
      "the query over \(entity) took more than \(limit) and was ended; ask for less, or raise the decoder's budget"
    case .misuse(let what, let use): "\(what); use \(use)"
    case .unsupported(let what): what
    case .timedOut(_, let message): message
    case .suspended: "the store is suspended; resume() lets calls in again"
    case .closed(let store): "the store \(store) was closed; factory.reopen() opens it again"
    case .schemaMismatch(let store, let differences):
      "the store \(store) does not fit the entities:\n" + Self.table(differences.map { ($0.place, $0.sentence) })
    case .migration(let store, let problems):
      "the store \(store) can't be migrated: " + problems.map(\.description).joined(separator: "; ")
    case .bootstrap(let problem): problem.description
    case .engine(let failure):
      "\(failure.message) (\(failure.code))"
        + (failure.sql.map { " in: \($0) [\(failure.argumentCount) \(failure.argumentCount == 1 ? "value" : "values")]" } ?? "")
    }
  }

  /// A line for each row, the second columns one below the other.
  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)" }.joined(separator: "\n")
  }

  /// The error in words.
  public var errorDescription: String? { description }
}
