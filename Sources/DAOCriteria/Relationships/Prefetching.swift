/// Entities of which a criteria prefetches relationships, and the way to the rows: what ``Entity/prefetch(_:)`` gets.
public struct Prefetching<E: Entity> {
  let store: any EntityStore
  let entity: EntityDescription
  let tree: PrefetchTree
  // How the entities are reached; nil for those that were asked for.
  private let path: FetchPath?
  private(set) var entities: [E]
  private var fetched: Set<String> = []

  /// Fills the relationships of entities, all from one snapshot.
  static func fill(
    _ entities: [E], of entity: EntityDescription, _ tree: PrefetchTree, at path: FetchPath? = nil, from store: any EntityStore
  ) throws -> [E] {
    if tree.branches.isEmpty { return entities }
    var prefetching = Prefetching(store: store, entity: entity, tree: tree, path: path, entities: entities)
    try E.prefetch(&prefetching)
    if let name = tree.branches.keys.sorted().first(where: { !prefetching.fetched.contains($0) }) {
      throw DAOError.misuse(
        "\(E.self) has no place for the rows of \(entity.name).\(name)",
        use: "@Entity, or rows.fetch(\"\(name)\", into: …) in a prefetch(_:) of your own")
    }
    return prefetching.entities
  }

  private init(store: any EntityStore, entity: EntityDescription, tree: PrefetchTree, path: FetchPath?, entities: [E]) {
    self.path = path
    self.store = store
    self.entity = entity
    self.tree = tree
    self.entities = entities
  }

  /// The relationships that the criteria asks for.
  var names: [String] { tree.branches.keys.sorted() }

  /// Fetches the rows of a to-one relationship into a property, where the criteria asks for them.
  /// - Throws: ``DAOError``.
  public mutating func fetch<Target>(_ name: String, into property: WritableKeyPath<E, Reference<Target>>) throws {
    try fetchOne(name, Target.self) { entity, fetched in
      entity[keyPath: property].state = fetched.map { .fetched($0) } ?? .missing
    }
  }

  /// Fetches the rows of a to-one relationship into a property, where the criteria asks for them.
  /// - Throws: ``DAOError``.
  public mutating func fetch<Target>(_ name: String, into property: WritableKeyPath<E, Reference<Target>?>) throws {
    try fetchOne(name, Target.self) { entity, fetched in
      entity[keyPath: property]?.state = fetched.map { .fetched($0) } ?? .missing
    }
  }

  /// Fetches the rows of a to-many relationship into a property, where the criteria asks for them.
  /// - Throws: ``DAOError``.
  public mutating func fetch<Target>(_ name: String, into property: WritableKeyPath<E, Many<Target>>) throws {
    try fetch(name, Target.self) { entity, rows in entity[keyPath: property] = Many(rows) }
  }

  /// Fetches the rows of a relationship, where the criteria asks for them, for a property of another kind: to-one over a key of several
  /// attributes, say.
  ///
  /// ```swift
  /// try rows.fetch("region", Region.self) { author, found in author.region = found.first }
  /// ```
  /// - Throws: ``DAOError``, and what the body throws.
  public mutating func fetch<Target: Entity>(
    _ name: String, _ target: Target.Type, _ take: (inout E, [Target]) throws -> Void
  ) throws {
    guard let rows = try rows(name, target) else { return }
    for (index, key) in rows.keys.enumerated() { try take(&entities[index], key.flatMap { rows.byKey[$0] } ?? []) }
  }

  /// The same for one row, which all that lead to it share.
  private mutating func fetchOne<Target: Entity>(
    _ name: String, _ target: Target.Type, _ take: (inout E, FetchedRow<Target>?) -> Void
  ) throws {
    guard let rows = try rows(name, target) else { return }
    let shared = rows.byKey.compactMapValues { $0.first.map { FetchedRow($0) } }
    for (index, key) in rows.keys.enumerated() { take(&entities[index], key.flatMap { shared[$0] }) }
  }

  /// The rows of a relationship, with what is prefetched of them; nil where the criteria does not ask for them.
  private mutating func rows<Target: Entity>(_ name: String, _ target: Target.Type) throws -> RelatedRows<Target>? {
    guard let branch = tree.branches[name] else { return nil }
    fetched.insert(name)
    guard let relationship = entity.relationship(name) else { return nil }
    do {
      return try RelatedRows(of: relationship, from: entity, entities, branch, at: path?.appending(name) ?? FetchPath([name]), store)
    } catch let problem as ValueProblem {
      throw DAOError.invalidDescription(entity: entity.name, problems: ["\(entity.name).\(name) \(problem)"])
    }
  }
}
