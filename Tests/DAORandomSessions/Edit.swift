import DAOKit
import TestCases

/// One change of an owner's rows.
enum Edit {
  case add(Int, String, number: Int, parent: String?)
  case change(Int, String, number: Int)
  case move(Int, String, to: String?)
  case delete(Int, String)
  /// Numbers below a limit become it.
  case raise(Int, below: Int)
  case deleteAll(Int, above: Int)
  /// A row takes the place of the one of its label, as `REPLACE` does.
  case replace(Int, String, number: Int, parent: String?)

  /// One that can be done.
  /// - Parameter canReplace: whether it may be ``replace(_:_:number:parent:)``.
  static func random(_ model: Model, label: String, canReplace: Bool, _ random: inout RandomSource) -> Edit {
    let kind = random.below(Kinds.all.count)
    let rows = model.rows[kind].keys.sorted()
    let parents = model.rows[Kinds.parents[kind]].keys.sorted()
    let number = random.below(100)
    func parent() -> String? {
      if parents.isEmpty || (Kinds.all[kind].mayBeAlone && random.once(in: 3)) { return nil }
      return random.pick(parents)
    }
    guard !rows.isEmpty else {
      if parents.isEmpty && !Kinds.all[kind].mayBeAlone { return .add(0, label, number: number, parent: nil) }
      return .add(kind, label, number: number, parent: parent())
    }
    let row = random.pick(rows)
    switch random.below(20) {
    case 0...6 where rows.count < 25: return .add(kind, label, number: number, parent: parent())
    case 0...6, 13...14: return .delete(kind, row)
    case 7...10: return .change(kind, row, number: number)
    case 11...12: return .move(kind, row, to: parent())
    case 15...16: return .raise(kind, below: random.below(30))
    case 17: return .deleteAll(kind, above: 85 + random.below(15))
    case 18 where canReplace: return .replace(kind, row, number: number, parent: model.rows[kind][row]?.parent)
    default: return .change(kind, row, number: number)
    }
  }

  /// Does it to the model.
  func apply(to model: inout Model) {
    switch self {
    case .add(let kind, let label, let number, let parent): model.rows[kind][label] = Model.Row(number: number, parent: parent)
    case .change(let kind, let label, let number): model.rows[kind][label]?.number = number
    case .move(let kind, let label, let parent): model.rows[kind][label]?.parent = parent
    case .delete(let kind, let label): model.delete(kind, label)
    case .raise(let kind, let limit):
      for (label, row) in model.rows[kind] where row.number < limit { model.rows[kind][label]?.number = limit }
    case .deleteAll(let kind, let limit):
      for (label, row) in model.rows[kind] where row.number > limit { model.delete(kind, label) }
    case .replace(let kind, let label, let number, let parent):
      model.delete(kind, label)
      // A shelf may have stood in itself.
      let isGone = Kinds.parents[kind] == kind && parent == label
      model.rows[kind][label] = Model.Row(number: number, parent: isGone ? nil : parent)
    }
  }

  /// Does it by DAOs, in one of the ways that there are.
  func apply(_ maker: some DAOMaker, of owner: Int, _ random: inout RandomSource) throws {
    switch self {
    case .add(let kind, let label, let number, let parent):
      func add<Kind: ItemKind>(_ kind: Kind.Type) throws {
        let item = Item<Kind>(label, of: owner, number, in: try key(of: parent, kind, maker))
        let dao = maker.items(kind)
        switch random.below(4) {
        case 0: try dao.save(item)
        case 1: try dao.upsert(item, on: [\.label])
        default: try dao.insert(item)
        }
      }
      try add(Kinds.all[kind])
    case .change(let kind, let label, let number):
      func change<Kind: ItemKind>(_ kind: Kind.Type) throws {
        let dao = maker.items(kind)
        switch random.below(5) {
        case 0: try dao.update(.where { $0.label == label }, set: .set(\.number, to: number))
        case 1:
          try dao.execute(
            SQL(stringLiteral: "UPDATE \(kind.entity.table) SET number = \(number) WHERE label = '\(label)'"))
        default:
          var item = try found(dao.labelled(label), label)
          item.number = number
          if random.once(in: 2) { try dao.update(item) } else { try dao.save(item) }
        }
      }
      try change(Kinds.all[kind])
    case .move(let kind, let label, let parent):
      func move<Kind: ItemKind>(_ kind: Kind.Type) throws {
        let dao = maker.items(kind)
        let parentID = try key(of: parent, kind, maker)
        if random.once(in: 2) {
          try dao.update(.where { $0.label == label }, set: .set(\.parentID, to: parentID))
        } else {
          var item = try found(dao.labelled(label), label)
          item.parentID = parentID
          try dao.update(item)
        }
      }
      try move(Kinds.all[kind])
    case .delete(let kind, let label):
      func delete<Kind: ItemKind>(_ kind: Kind.Type) throws {
        let dao = maker.items(kind)
        switch random.below(4) {
        case 0: try dao.delete(.where { $0.label == label })
        case 1: try dao.execute(SQL(stringLiteral: "DELETE FROM \(kind.entity.table) WHERE label = '\(label)'"))
        case 2: try dao.delete(found(dao.labelled(label), label))
        default: try dao.delete(found(dao.labelled(label), label).id ?? 0)
        }
      }
      try delete(Kinds.all[kind])
    case .raise(let kind, let limit):
      func raise<Kind: ItemKind>(_ kind: Kind.Type) throws { _ = try maker.items(kind).raise(of: owner, below: limit) }
      try raise(Kinds.all[kind])
    case .deleteAll(let kind, let limit):
      func delete<Kind: ItemKind>(_ kind: Kind.Type) throws {
        try maker.items(kind).delete(.where { $0.owner == owner && $0.number > limit })
      }
      try delete(Kinds.all[kind])
    case .replace(let kind, let label, let number, let parent):
      func replace<Kind: ItemKind>(_ kind: Kind.Type) throws {
        let parentID = try key(of: parent, kind, maker)
        // A shelf in itself is deleted before it is there again, and its own reference with it.
        let keeps = parent != label || kind.parent.entity != kind.entity
        try maker.items(kind).execute(
          SQL(
            stringLiteral: """
              REPLACE INTO \(kind.entity.table) (label, owner, number, parentID)
              VALUES ('\(label)', \(owner), \(number), \(keeps ? parentID.map(String.init) ?? "NULL" : "NULL"))
              """))
      }
      try replace(Kinds.all[kind])
    }
  }

  private func key<Kind: ItemKind>(of parent: String?, _ kind: Kind.Type, _ maker: some DAOMaker) throws -> Int64? {
    func id<Parent: ItemKind>(_ parent: Parent.Type, _ label: String) throws -> Int64 {
      try found(maker.items(parent).labelled(label), label).id ?? 0
    }
    return try parent.map { try id(kind.parent, $0) }
  }

  private func found<Entity>(_ entity: Entity?, _ label: String) throws -> Entity {
    guard let entity else { throw TestCases.Difference("\(label) is not found") }
    return entity
  }
}
