/// The part of a query that is checked now, and the nodes from the outside in: by them a problem gets its position in the JSON that the
/// criteria were read from. Of criteria that were read from none, nothing is kept.
struct Standing {
  fileprivate(set) var part: CriteriaPlaces.Part?
  fileprivate(set) var nodes: [CriteriaPlaces.Node] = []
}

extension CriteriaChecker {
  /// Runs a body that checks a part of the criteria.
  mutating func standing<Result>(at part: CriteriaPlaces.Part, _ body: (inout CriteriaChecker) -> Result) -> Result {
    let before = standing.part
    standing.part = part
    defer { standing.part = before }
    return body(&self)
  }

  /// Runs a body that checks a condition or term of the subject.
  mutating func standing<Result>(in content: CriteriaPlaces.Node.Content, _ body: (inout CriteriaChecker) -> Result) -> Result {
    guard criteria.places != nil, let part = standing.part else { return body(&self) }
    standing.nodes.append(CriteriaPlaces.Node(content, in: part, of: subject.entity))
    defer { standing.nodes.removeLast() }
    return body(&self)
  }

  /// The position of the innermost node that was read from JSON; of the part, where the checker is in none.
  var currentPlace: String? {
    guard let places = criteria.places, let part = standing.part else { return nil }
    // Conditions that only join others have none.
    return standing.nodes.reversed().lazy.compactMap { places[$0] }.first ?? places[part]
  }
}
