import Foundation

/// Makes criteria of JSON that comes from anyone: an app's users, another program, a file.
///
/// ```swift
/// let decoder = CriteriaDecoder(allowing: CriteriaAllowList(["zone": ["name", "standardOffset"]]))
/// let criteria = try decoder.decode(SearchCriteria<Zone>.self, from: json)
/// ```
///
/// ```json
/// {"version":1,"entity":"zone","filter":{"compare":"standardOffset","is":">","to":{"value":3600}},"limit":20}
/// ```
///
/// `Documentation/criteria-json.md` has every form. No text makes it crash, hang or take more memory than a small multiple of the text's own;
/// whatever is wrong is told at once, each problem with its place in the JSON. What is no matter of names and types (a text compared by
/// `like` with a number, a group that is missing) is told by the store, as of any criteria.
public struct CriteriaDecoder: Sendable {
  /// What criteria may speak of.
  public var allowed: CriteriaAllowList
  /// How much they may ask for.
  public var limits: CriteriaLimits

  /// A decoder; unless told otherwise it allows all attributes of the entities and no relationship, within limits for criteria from anyone.
  public init(allowing allowed: CriteriaAllowList = .attributes, limits: CriteriaLimits = CriteriaLimits()) {
    self.allowed = allowed
    self.limits = limits
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
      throw reader.refusal(CriteriaProblem(path: "$", message: "has \(json.count) bytes; \(limits.bytes) are allowed"))
    }
    var scanner = JSONScanner(json, maximumDepth: limits.jsonDepth)
    let root: JSONNode
    do { root = try scanner.scan() } catch let error as NotJSON { throw reader.refusal(scanner.problems + [error.problem]) }
    return try reader.read(root, scanner.problems)
  }
}
