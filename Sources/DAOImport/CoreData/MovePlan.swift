import DAOKit

/// How a Core Data store is imported: compiled once, with all problems of the mappings together.
struct MovePlan {
  let schema: CoreDataSchema
  private(set) var entities: [MovedEntity] = []
  var pairs: [MovedPairs] = []
  /// The numbers of the entities, those before others that must lead to their rows.
  private(set) var order: [Int] = []
  /// The columns and join tables that have values, and that nothing reads.
  private(set) var leftOut: [String] = []

  let mappings: [CoreDataMapping]
  var sources: [CoreDataEntity] = []
  var problems: [String] = []

  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` with every problem.
  init(_ mappings: [CoreDataMapping], _ schema: CoreDataSchema, _ connection: any Connection, store: String) throws {
    self.schema = schema
    self.mappings = mappings
    findSources()
    if problems.isEmpty {
      for number in mappings.indices { try addEntity(number, connection) }
      for number in mappings.indices { addPairs(number) }
      if problems.isEmpty { for number in mappings.indices { checkOrders(number) } }
    }
    if !problems.isEmpty { throw DAOError.invalidDescription(entity: store, problems: problems) }
    order = ordered()
    leftOut = try findLeftOut(connection)
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
    let others = schema.family(of: source).filter { $0.number != source.number && sources.contains($0) }
    let taken = Set(others.flatMap { schema.family(of: $0).map(\.number) })
    let own = schema.family(of: source).filter { !taken.contains($0.number) }
    return Dictionary(own.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func addEntity(_ number: Int, _ connection: any Connection) throws {
    let (mapping, source) = (mappings[number], sources[number])
    let (entity, parts, names) = (mapping.entity, mapping.mapping.parts, self.names(of: source))
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
      if linked.contains(attribute.name) || attribute.isVersion || own?.isExcluded == true
        || own == nil && hooks == nil && excludedKeys.contains(attribute.name)
      {
        attributes[attribute.name] = .excluded
        continue
      }
      let found = (own?.paths ?? order(of: attribute.name, number, links) ?? [[attribute.name]]).compactMap { path in
        path.names.count == 1 ? source.column(path.names[0]) : nil
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
        columns[column.name] = read
      }
      var read = own ?? AttributeMapping(null: attribute.isOptional ? .null : .useDefault)
      read.paths = found.map { RecordPath([$0.name]) }
      if found.contains(where: { if case .date = $0.type { true } else { false } }) { read.dates = [.unixSeconds] }
      attributes[attribute.name] = read
    }
    checkNames(mapping, parts)
    try addForms(of: number, parts, names, &columns, connection)
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
  private mutating func addForms(
    of number: Int, _ parts: MappingParts, _ names: [Int64: String], _ columns: inout [String: CoreDataColumn], _ connection: any Connection
  ) throws {
    let (mapping, source) = (mappings[number], sources[number])
    for (name, column) in columns where column.attribute.type == .data {
      columns[name]?.isGuarded = true
      if mapping.data.keys.contains(where: { $0.lowercased() == name }) || column.isUUID { continue }
      let rows = CoreDataRows.from(source.table, of: names.keys.sorted(), where: "length(\(column.attribute.column.asSQLName)) > 0")
      let plain = "substr(\(column.attribute.column.asSQLName), 1, 1) NOT IN (x'01', x'02')"
      if try connection.hasRows("SELECT 1 \(rows)"), try !connection.hasRows("SELECT 1 \(rows) AND \(plain)") {
        problems.append(
          "each value of \(source.name).\(name) begins with the byte 1 or 2, as externally stored data do; "
            + "say what it is: data: [\"\(name)\": .external], or .plain")
      }
    }
    if parts.hooks.hasAny {
      for attribute in source.description.attributes where columns[attribute.name] == nil {
        columns[attribute.name] = CoreDataColumn(attribute: attribute, isForHooks: true)
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

  private func findLeftOut(_ connection: any Connection) throws -> [String] {
    var leftOut: [String] = []
    for entity in entities {
      let excluded = entity.mapping.mapping.parts.attributes.filter(\.value.isExcluded).keys.map { $0.lowercased() }
      let related = entity.mapping.mapping.parts.relationships.filter(\.value.isExcluded).keys.map { $0.lowercased() }
      let read = Set(
        entity.target.attributes.flatMap { $0.paths.map(\.description) } + entity.links.map(\.column.name) + excluded + related)
      for column in entity.source.description.attributes where !CoreDataEntity.isOfLayout(column) && !read.contains(column.name) {
        let rows = CoreDataRows.from(entity.source.table, of: entity.numbers, where: "\(column.column.asSQLName) IS NOT NULL")
        if try connection.hasRows("SELECT 1 \(rows)") { leftOut.append("\(entity.source.name).\(column.name)") }
      }
    }
    let tables = Set(entities.map(\.source.table))
    for join in schema.joins where !pairs.contains(where: { $0.join == join }) {
      let isBetween = join.sides.allSatisfy { side in
        side.number.flatMap { schema.entity(number: $0) }.map { tables.contains($0.table) } ?? true
      }
      if isBetween, try connection.hasRows("SELECT 1 FROM \(join.table.asSQLName)") { leftOut.append(join.table) }
    }
    return leftOut
  }
}

extension EntityHooks {
  /// Whether there is a hook that gets records.
  fileprivate var hasAny: Bool { before != nil || instead != nil || after != nil || !attributes.isEmpty }
}
