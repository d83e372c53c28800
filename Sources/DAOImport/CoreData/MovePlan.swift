import DAOKit

/// How a Core Data store is imported: compiled once, with all problems of the mappings together.
struct MovePlan {
  let schema: CoreDataSchema
  private(set) var entities: [MovedEntity] = []
  var pairs: [MovedPairs] = []
  /// The numbers of the entities, those before others that must lead to their rows.
  private(set) var order: [Int] = []
  /// The columns, positions, tables of pairs and entities that have values or rows, and that nothing reads.
  private(set) var leftOut: [String] = []

  let mappings: [CoreDataMapping]
  var sources: [CoreDataEntity] = []
  /// For each mapping, the numbers of the entities whose rows it takes, with their names.
  private(set) var kinds: [[Int64: String]] = []
  var namesakes: [Namesake] = []
  var problems: [String] = []

  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` with every problem.
  init(_ mappings: [CoreDataMapping], _ schema: CoreDataSchema, _ connection: any Connection, store: String) throws {
    self.schema = schema
    self.mappings = mappings
    let counts = CoreDataCounts(connection)
    findSources()
    if problems.isEmpty {
      kinds = sources.map(names)
      for number in mappings.indices { try addEntity(number) }
      for number in mappings.indices { addPairs(number) }
      addDefaults()
      if entities.count == mappings.count { try checkNamesakes(counts) }
      if problems.isEmpty { for number in mappings.indices { checkOrders(number) } }
    }
    if !problems.isEmpty { throw DAOError.invalidDescription(entity: store, problems: problems) }
    order = ordered()
    leftOut = try findLeftOut(counts, connection)
  }

  // MARK: Entities

  private mutating func findSources() {
    if mappings.isEmpty { problems.append("no entity is named") }
    for mapping in mappings {
      guard let source = schema.entity(mapping.source) else {
        let known = schema.entities.map(\.name).joined(separator: ", ")
        problems.append("the Core Data store has no entity '\(mapping.source)', which becomes \(mapping.entity.name); it has \(known)")
        continue
      }
      if sources.contains(source) { problems.append("\(source.name) is named twice") }
      if mapping.entity.isReadOnly { problems.append("\(mapping.entity.name) is a view, whose rows can't be written") }
      sources.append(source)
    }
  }

  /// The entities whose rows a mapping takes: its own, and sub-entities that are nearer to no other.
  private func names(of source: CoreDataEntity) -> [Int64: String] {
    let own = schema.family(of: source, without: Set(sources.map(\.number)))
    return Dictionary(own.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func addEntity(_ number: Int) throws {
    let (mapping, source) = (mappings[number], sources[number])
    let (entity, parts, names) = (mapping.entity, mapping.mapping.parts, kinds[number])
    let links = self.links(of: number, parts)
    let linked = Set(links.flatMap { $0.positions.map { entity.attributes[$0].name } })
    let excludedKeys = excludedLinks(of: entity, parts)
    var columns: [String: CoreDataColumn] = [:]
    var attributes: [String: AttributeMapping] = [:]
    for attribute in entity.attributes {
      let own = parts.attributes[attribute.name]
      let hooks = parts.hooks.attributes[attribute.name]
      if linked.contains(attribute.name), hooks != nil {
        problems.append(
          "\(entity.name).\(attribute.name) is a reference, which is imported without hooks; exclude the relationship, or the hook")
      }
      if linked.contains(attribute.name) || attribute.isVersion || attribute.isGenerated || own?.isExcluded == true
        || own == nil && hooks == nil && excludedKeys.contains(attribute.name)
      {
        attributes[attribute.name] = .excluded
        continue
      }
      func column(_ path: RecordPath) -> Attribute? { path.names.count == 1 ? source.column(path.names[0]) : nil }
      let order = order(of: attribute.name, number, links)
      let paths = own?.paths ?? order ?? [[attribute.name]]
      let found = paths.compactMap(column)
      if own == nil, order == nil, hooks?.instead == nil, entity.key != .generated(attribute.name) {
        namesakes.append(Namesake(mapping: number, name: attribute.name, column: attribute.name.lowercased()))
      }
      if let own, hooks?.instead == nil, !found.isEmpty {
        for path in own.paths where column(path) == nil {
          problems.append("\(entity.name).\(attribute.name) is mapped to '\(path)', which is no column of \(source.name)")
        }
      }
      if found.isEmpty, hooks?.instead == nil {
        if let own, !own.paths.isEmpty {
          let paths = own.paths.map(\.description).joined(separator: ", ")
          problems.append("\(entity.name).\(attribute.name) is mapped to '\(paths)', which is no column of \(source.name)")
        } else if !attribute.isOptional, attribute.defaultValue == nil, entity.key != .generated(attribute.name) {
          problems.append("\(entity.name).\(attribute.name) has no column of its name in \(source.name), and can't be null; map it to one")
        }
        attributes[attribute.name] = .excluded
        continue
      }
      for column in found {
        var read = columns[column.name] ?? CoreDataColumn(attribute: column, isForHooks: true)
        if hooks?.instead == nil {
          if let reason = read.mismatch(attribute.type, isMapped: own != nil) {
            problems.append("\(entity.name).\(attribute.name) \(reason)")
          }
          let isUUID = if case .uuid = attribute.type { column.type == .data } else { false }
          if !read.isForHooks, read.isUUID != isUUID {
            problems.append("\(entity.name).\(attribute.name) reads \(column.column), which another attribute reads as another type")
          }
          read.isUUID = isUUID
          read.isForHooks = false
        }
        if found.count > 1 { read.fallsThrough = true }
        columns[column.name] = read
      }
      var read = own ?? AttributeMapping(null: attribute.isOptional ? .null : .useDefault)
      read.paths = found.map { RecordPath([$0.name]) }
      // Null values of a list of columns are left out of the record, so that the first other value is found.
      read.absent = read.null
      if found.contains(where: { if case .date = $0.type { true } else { false } }) { read.dates = [.unixSeconds] }
      attributes[attribute.name] = read
    }
    checkNames(mapping, parts)
    addForms(of: number, parts, &columns)
    var hooks = parts.hooks
    hooks.relationships = [:]
    var own = MappingParts(
      identity: [], attributes: attributes,
      relationships: Dictionary(entity.relationships.map { ($0.name, .excluded) }, uniquingKeysWith: { first, _ in first }), hooks: hooks,
      included: [], check: parts.check)
    own.onlyInserts = true
    do {
      let plan = try RecordPlan(EntityTarget(entity), own)
      let read = source.description.attributes.compactMap { columns[$0.name] }
      entities.append(MovedEntity(mapping: mapping, source: source, names: names, plan: plan, columns: read, links: links))
    } catch DAOError.invalidDescription(_, let others) { problems += others }
  }

  /// Checks the names that a mapping has beside those of attributes.
  private mutating func checkNames(_ mapping: CoreDataMapping, _ parts: MappingParts) {
    let entity = mapping.entity
    let unknown = Set(parts.relationships.keys).union(mapping.orders.keys).filter { entity.relationship($0) == nil }
    problems += unknown.sorted().map { "the mapping names '\($0)', which is no relationship of \(entity.name)" }
    problems += parts.attributes.keys.filter { entity[$0] == nil }.sorted().map {
      "the mapping names '\($0)', which is no attribute of \(entity.name)"
    }
    problems += parts.hooks.relationships.keys.sorted().map {
      "\(entity.name).\($0) has a hook, and relationships of a Core Data store are imported without hooks"
    }
    for (name, mapping) in parts.relationships.sorted(by: { $0.key < $1.key }) where mapping.paths.contains(where: { $0.names.count != 1 })
    {
      problems.append("\(entity.name).\(name) is mapped to a path, and a Core Data store has relationships by one name")
    }
  }

  /// Adds the columns of hooks, and the forms of data.
  private mutating func addForms(of number: Int, _ parts: MappingParts, _ columns: inout [String: CoreDataColumn]) {
    let (mapping, source) = (mappings[number], sources[number])
    let forms = Set(mapping.data.keys.map { $0.lowercased() })
    // The values can't tell: plain data may begin as external data do.
    let open = columns.values.filter { $0.attribute.type == .data && !$0.isUUID && !forms.contains($0.name) }.map(\.name).sorted()
    if !open.isEmpty {
      problems.append(
        "\(mapping.entity.name) reads data of \(source.name) whose form the store does not say; name it: "
          + "data: [\(open.map { "\"\($0)\": .plain" }.joined(separator: ", "))], with .external for attributes that allow external storage"
      )
    }
    if parts.hooks.hasAny {
      for attribute in source.description.attributes where columns[attribute.name] == nil {
        var column = CoreDataColumn(attribute: attribute, isForHooks: true)
        column.isGuarded = true
        columns[attribute.name] = column
      }
    }
    for (name, form) in mapping.data.sorted(by: { $0.key < $1.key }) {
      guard let column = source.column(name), column.type == .data else {
        problems.append("data: names '\(name)', which is no column of data in \(source.name)")
        continue
      }
      columns[column.name]?.form = form
    }
  }

  // MARK: The whole

  /// The entities, each behind those that its rows must refer to, and behind those that they may refer to where that can be.
  private func ordered() -> [Int] {
    var left = Array(entities.indices)
    var order: [Int] = []
    func isReady(_ number: Int, _ links: (MovedEntity.Link) -> Bool) -> Bool {
      entities[number].links.filter(links).allSatisfy { $0.targets.allSatisfy { $0 == number || order.contains($0) } }
    }
    while let first = left.first {
      let next = left.first { isReady($0) { _ in true } } ?? left.first { isReady($0) { !$0.isOptional } } ?? first
      order.append(next)
      left.removeAll { $0 == next }
    }
    return order
  }
}

extension EntityHooks {
  /// Whether there is a hook that gets records.
  fileprivate var hasAny: Bool { before != nil || instead != nil || after != nil || !attributes.isEmpty }
}
