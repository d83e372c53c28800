// What a path leads to inside a JSON attribute: `{"jsonText": "details", "path": ["address", "city"]}`
extension CriteriaReader {
  mutating func json(_ function: Function, of node: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Term? {
    let attribute = try field(node, at: place[function.rawValue])
    let type = attribute?.type(in: place.entity)
    if let type, type != .json { try report(place[function.rawValue].path, "is \(type), and a path leads only into JSON") }
    let path = try members["path"].flatMap { try self.path($0, at: place["path"]) }
    guard let attribute, type == .json, let path else { return nil }
    return .function(function, [attribute] + path.map(\.term))
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
