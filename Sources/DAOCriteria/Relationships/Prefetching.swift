/// Entities of which a query prefetches relationships, and the access to the rows: the argument of ``Entity/prefetch(_:)``.
public struct Prefetching<E: Entity> {
  let store: any EntityStore
  let entity: EntityDescription
  let tree: PrefetchTree
  // How the entities are reached; nil for those that were asked for.
  private let path: FetchPath?
  private let notes: RowNotes
  @usableFromInline var entities: [E]
  private var fetched: Set<String> = []

  /// Fills the relationships of entities, all from one snapshot.
  /// - Parameter notes: the keys that were noted while the entities were read.
  static func fill(
    _ entities: consuming [E], of entity: EntityDescription, _ tree: PrefetchTree, at path: FetchPath? = nil, from store: any EntityStore,
    _ notes: RowNotes? = nil
  ) throws -> [E] {
    if tree.branches.isEmpty { return entities }
    let notes = notes ?? RowNotes(entity, tree)
    try notes.note(entities, of: entity)
    var prefetching = Prefetching(store: store, entity: entity, tree: tree, path: path, notes, entities)
    try E.prefetch(&prefetching)
    if let name = tree.branches.keys.sorted().first(where: { !prefetching.fetched.contains($0) }) {
      throw DAOError.misuse(
        "\(E.self) has no place for the rows of \(entity.name).\(name)",
        use: "@Entity, or rows.fetch(\"\(name)\", into: …) in a prefetch(_:) of your own")
    }
    return prefetching.entities
  }

  private init(
    store: any EntityStore, entity: EntityDescription, tree: PrefetchTree, path: FetchPath?, _ notes: RowNotes, _ entities: consuming [E]
  ) {
    self.notes = notes
    self.path = path
    self.store = store
    self.entity = entity
    self.tree = tree
    self.entities = entities
  }

  /// The relationships that the criteria ask for.
  var names: [String] { tree.branches.keys.sorted() }

  // Compiled in the entity's own module, so that its properties are written without a lookup of their key paths.

  /// Fetches the rows of a to-one relationship into a property, where the criteria prefetch them.
  /// - Throws: ``DAOError``.
  @inlinable @inline(__always)
  public mutating func fetch<Target>(_ name: String, into property: WritableKeyPath<E, Reference<Target>>) throws {
    guard let rows = try rows(name, Target.self) else { return }
    let shared = rows.rows.map { FetchedRow($0) }
    let places = rows.firstPlaces
    for index in entities.indices {
      let place = places[index]
      entities[index][keyPath: property].state = place < 0 ? .missing : .fetched(shared[place])
    }
  }

  /// Fetches the rows of a to-one relationship into a property, where the criteria prefetch them.
  /// - Throws: ``DAOError``.
  @inlinable @inline(__always)
  public mutating func fetch<Target>(_ name: String, into property: WritableKeyPath<E, Reference<Target>?>) throws {
    guard let rows = try rows(name, Target.self) else { return }
    let shared = rows.rows.map { FetchedRow($0) }
    let places = rows.firstPlaces
    for index in entities.indices {
      let place = places[index]
      entities[index][keyPath: property]?.state = place < 0 ? .missing : .fetched(shared[place])
    }
  }

  /// Fetches the rows of a to-many relationship into a property, where the criteria prefetch them.
  /// - Throws: ``DAOError``.
  @inlinable @inline(__always)
  public mutating func fetch<Target>(_ name: String, into property: WritableKeyPath<E, Many<Target>>) throws {
    guard let rows = try rows(name, Target.self) else { return }
    for index in entities.indices { entities[index][keyPath: property] = Many(rows[index]) }
  }

  /// Fetches the rows of a relationship, where the criteria prefetch them, for a property of another kind: to-one over a key of several
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
    for index in entities.indices { try take(&entities[index], rows[index]) }
  }

  /// The rows of a relationship, with their own prefetched rows; nil where the criteria do not prefetch them.
  @usableFromInline mutating func rows<Target: Entity>(_ name: String, _ target: Target.Type) throws -> RelatedRows<Target>? {
    guard let branch = tree.branches[name] else { return nil }
    fetched.insert(name)
    guard let relationship = entity.relationship(name) else { return nil }
    do {
      let keys = notes.byRelationship[name] ?? NotedKeys(at: [], as: [])
      return try RelatedRows(of: relationship, from: entity, keys, branch, at: path?.appending(name) ?? FetchPath([name]), store)
    } catch let problem as ValueProblem {
      throw DAOError.invalidDescription(entity: entity.name, problems: ["\(entity.name).\(name) \(problem)"])
    }
  }
}
