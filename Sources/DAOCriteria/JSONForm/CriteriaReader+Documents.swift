// Reads a path into JSON: `{"jsonText": "details", "path": ["address", "city"]}`
extension CriteriaReader {
  mutating func json(_ function: Function, of node: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Criteria.Term? {
    let document = try term(node, as: .json, at: place[function.rawValue])
    // A value was read as JSON.
    let type = document.map { $0.type(in: place.entity) ?? .json }
    if let type, type != .json { try report(place[function.rawValue].path, "is \(type), and a path leads only into JSON") }
    let path = try members["path"].flatMap { try self.path($0, at: place["path"]) }
    guard let document, type == .json, let path else { return nil }
    return .function(function, [document] + path.map(\.term))
  }

  private mutating func path(_ node: JSONNode, at place: Place) throws -> [JSONStep]? {
    if case .list(let nodes) = node, !(1...JSONStep.maximumCount).contains(nodes.count) {
      try report(place.path, "has \(nodes.count) steps; 1 to \(JSONStep.maximumCount) are allowed")
      return nil
    }
    return try list(node, at: place) { try $0.step($1, at: $2) }
  }

  private mutating func step(_ node: JSONNode, at place: Place) throws -> JSONStep? {
    switch node {
    case .text(let key): return .key(key)
    case .number(let digits):
      if let number = Int(digits), number >= 0 { return .place(number) }
    default: break
    }
    try report(place.path, "expects a key, or a place that counts from 0, not \(node.kind)")
    return nil
  }
}
