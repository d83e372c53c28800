import DAOKit

/// The members of an exported object, in their order: those of its attributes and relationships, where their mapping has them.
struct ExportShape {
  /// The value of a member.
  indirect enum Member {
    case attribute(Int)
    case relationship(Int)
    case object(ExportShape)
  }

  private(set) var members: [(name: String, member: Member)] = []

  /// The shape of an entity's objects, by the first path of each attribute and relationship.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` where a path leads through the value of another.
  init(_ plan: EntityPlan) throws {
    var problems: [String] = []
    let parts =
      plan.attributes.enumerated().map { ($1.attribute.name, $1.paths.first, Member.attribute($0)) }
      + plan.relationships.enumerated().map { ($1.name, $1.paths.first, Member.relationship($0)) }
    for (name, path, member) in parts {
      guard let path else { continue }
      if !add(member, at: path.names[...]) {
        problems.append("\(plan.entity.name).\(name) can't be exported: its path '\(path)' is that of another value, or within one")
      }
    }
    if !problems.isEmpty { throw DAOError.invalidDescription(entity: plan.entity.name, problems: problems) }
  }

  private init() {}

  private mutating func add(_ member: Member, at path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return false }
    let place = members.firstIndex { $0.name == name }
    if path.count == 1 {
      if place != nil { return false }
      members.append((name, member))
      return true
    }
    var inner = ExportShape()
    if let place {
      guard case .object(let known) = members[place].member else { return false }
      inner = known
    }
    guard inner.add(member, at: path.dropFirst()) else { return false }
    if let place { members[place].member = .object(inner) } else { members.append((name, .object(inner))) }
    return true
  }
}
