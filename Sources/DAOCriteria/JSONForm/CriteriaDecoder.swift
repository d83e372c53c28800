import Foundation

/// Makes criteria of untrusted JSON: from an app's users, another program, a file.
///
/// ```swift
/// let decoder = CriteriaDecoder(allowing: CriteriaDecoder.AllowList(["zone": ["name", "standardOffset"]]))
/// let criteria = try decoder.decode(SearchCriteria<Zone>.self, from: json)
/// ```
///
/// ```json
/// {"version":1,"entity":"zone","filter":{"compare":"standardOffset","is":">","to":{"value":3600}},"limit":20}
/// ```
///
/// `Documentation/criteria-json.md` has every form. No text makes it crash, hang or take more memory than a small multiple of the text's
/// own. One error reports all problems, each with its position in the JSON. A problem other than of names and types (a text compared by
/// `like` with a number, a group that is missing) is reported by the store, with its position too. Whatever passes ends within ``budget``.
public struct CriteriaDecoder: Sendable {
  /// The names and functions that criteria may use.
  public var allowed: CriteriaDecoder.AllowList
  /// The limits on the criteria.
  public var limits: CriteriaDecoder.Limits
  /// How much work each of their queries may take; nil for no limit.
  public var budget: RunBudget?

  /// A decoder. By default it allows all attributes of the entities and no relationship, within limits and a budget for untrusted criteria.
  public init(
    allowing allowed: CriteriaDecoder.AllowList = .attributes, limits: CriteriaDecoder.Limits = CriteriaDecoder.Limits(),
    budget: RunBudget? = RunBudget()
  ) {
    self.allowed = allowed
    self.limits = limits
    self.budget = budget
  }

  /// The criteria that a JSON text says.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with all problems, ``DAOError/newerCriteria(version:supported:)``.
  public func decode<Root>(_ type: SearchCriteria<Root>.Type, from json: Data) throws -> SearchCriteria<Root> {
    SearchCriteria(try decode(json, of: [try Root.describedEntity]).criteria)
  }

  /// The criteria that a JSON text says, and which of the entities it is of: for dynamic entities, and where the text chooses.
  ///
  /// ```swift
  /// let (entity, criteria) = try decoder.decode(json, of: [zones.entity, countries.entity])
  /// ```
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with all problems, ``DAOError/newerCriteria(version:supported:)``.
  public func decode(_ json: Data, of entities: [EntityDescription]) throws -> (entity: EntityDescription, criteria: Criteria) {
    var reader = CriteriaReader(entities, allowed, limits)
    guard json.count <= limits.bytes else {
      throw reader.refusal(DAOError.CriteriaProblem(path: "$", message: "has \(json.count) bytes; \(limits.bytes) are allowed"))
    }
    var scanner = JSONScanner(json, maximumDepth: limits.jsonDepth)
    let root: JSONNode
    do { root = try scanner.scan() } catch let error as NotJSON { throw reader.refusal(scanner.problems + [error.problem]) }
    var read = try reader.read(root, scanner.problems)
    read.criteria.budget = budget
    return read
  }
}
