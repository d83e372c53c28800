import DAOKit

/// How a Core Data store is imported: compiled once, with all problems of the mappings together.
struct MovePlan {
  let schema: CoreDataSchema
  private(set) var entities: [MovedEntity] = []
  private(set) var pairs: [MovedPairs] = []
  /// The numbers of the entities, those before others that must lead to their rows.
  private(set) var order: [Int] = []
  /// The columns and join tables that have values, and that nothing reads.
  private(set) var leftOut: [String] = []

  private let mappings: [CoreDataMapping]
  private var sources: [CoreDataEntity] = []
  private var problems: [String] = []

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
      if linked.contains(attribute.name) || attribute.isVersion || own?.isExcluded == true
        || own == nil && excludedKeys.contains(attribute.name)
      {
        attributes[attribute.name] = .excluded
        continue
      }
      let hooks = parts.hooks.attributes[attribute.name]
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
        var read = columns[column.name] ?? CoreDataColumn(attribute: column)
        if hooks?.instead == nil {
          if let reason = read.mismatch(attribute.type, isMapped: own != nil) {
            problems.append("\(entity.name).\(attribute.name) \(reason)")
          }
          let isUUID = if case .uuid = attribute.type { column.type == .data } else { false }
          if columns[column.name] != nil, read.isUUID != isUUID {
            problems.append("\(entity.name).\(attribute.name) reads \(column.column), which another attribute reads as another type")
          }
          read.isUUID = isUUID
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
        columns[attribute.name] = CoreDataColumn(attribute: attribute)
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

  // MARK: References

  /// The attributes of to-one relationships that a mapping excludes.
  private func excludedLinks(of entity: EntityDescription, _ parts: MappingParts) -> Set<String> {
    Set(
      entity.relationships.flatMap { relationship -> [String] in
        guard case .toOne(let by, _) = relationship.kind, parts.relationships[relationship.name]?.isExcluded == true else { return [] }
        return by
      })
  }

  /// The references of an entity: its to-one relationships, and the attributes that hold the key of another.
  private mutating func links(of number: Int, _ parts: MappingParts) -> [MovedEntity.Link] {
    let (entity, source) = (mappings[number].entity, sources[number])
    var links: [MovedEntity.Link] = []
    var done = excludedLinks(of: entity, parts)
    for relationship in entity.relationships {
      guard case .toOne(let by, _) = relationship.kind, !by.contains(where: done.contains) else { continue }
      done.formUnion(by)
      let own =
        parts.relationships[relationship.name]?.paths.first?.names.first
        ?? (by.count == 1 ? parts.attributes[by[0]]?.paths.first?.names.first : nil)
      guard let column = source.column(own ?? relationship.name) ?? (own == nil && by.count == 1 ? source.column(by[0]) : nil) else {
        if let own { problems.append("\(entity.name).\(relationship.name) is mapped to '\(own)', which is no column of \(source.name)") }
        checkRequired(by, relationship.name, number)
        continue
      }
      addLink(&links, number, relationship.name, column, by, to: relationship.target, referenced: relationship.referenced)
    }
    for attribute in entity.attributes where !done.contains(attribute.name) && parts.attributes[attribute.name]?.isExcluded != true {
      guard let target = target(of: attribute, in: entity) else { continue }
      let own = parts.attributes[attribute.name]?.paths.first?.names.first
      // Without a column, the attribute is treated as any other.
      guard let column = source.column(own ?? attribute.name) else { continue }
      addLink(&links, number, attribute.name, column, [attribute.name], to: target, referenced: nil)
    }
    return links
  }

  /// The moved entity whose key an attribute holds, by its own account or by that of the other's to-many relationship.
  private func target(of attribute: Attribute, in entity: EntityDescription) -> EntityDescription? {
    for other in mappings.map(\.entity) where other.key.attributes.count == 1 {
      if let reference = attribute.reference, SchemaName.same(reference.table, other.table),
        other.keyAttributes.contains(where: { SchemaName.same($0.column, reference.column) })
      {
        return other
      }
      let holds = other.relationships.contains { relationship in
        if case .toMany(let by) = relationship.kind { by == [attribute.name] && relationship.target?.name == entity.name } else { false }
      }
      if holds { return other }
    }
    return nil
  }

  private mutating func addLink(
    _ links: inout [MovedEntity.Link], _ number: Int, _ name: String, _ column: Attribute, _ by: [String], to target: EntityDescription?,
    referenced: [String]?
  ) {
    let entity = mappings[number].entity
    let positions = by.compactMap { entity.position(of: $0) }
    let isOptional = positions.allSatisfy { entity.attributes[$0].isOptional }
    let targets = mappings.indices.filter { mappings[$0].entity.name == target?.name }
    guard let target, !targets.isEmpty else {
      problems.append(
        "\(entity.name).\(name) leads to \(target?.name ?? "an entity that is not there"), which no Core Data entity becomes; "
          + "name one, or exclude the relationship")
      return
    }
    if Set(targets.map { sources[$0].table }).count > 1 {
      problems.append("\(entity.name).\(name) leads to \(target.name), which entities of several tables become, and holds one number")
      return
    }
    guard column.type == .integer else {
      problems.append("\(entity.name).\(name) is a reference, but the column \(column.column) has \(column.type)")
      return
    }
    guard referenced == nil || referenced == target.key.attributes, positions.count == target.key.attributes.count else {
      problems.append("\(entity.name).\(name) leads to other attributes of \(target.name) than its key; exclude the relationship")
      return
    }
    links.append(MovedEntity.Link(name: name, column: column, positions: positions, targets: targets, isOptional: isOptional))
  }

  private mutating func checkRequired(_ by: [String], _ name: String, _ number: Int) {
    let entity = mappings[number].entity
    let required = by.compactMap { entity[$0] }.filter { !$0.isOptional && $0.defaultValue == nil }
    // The attribute says so itself where no relationship has its name.
    if !required.isEmpty, by.count > 1 {
      problems.append("\(entity.name).\(name) has no column of its name in \(sources[number].name), and can't be null; map it to one")
    }
  }

  /// The column of positions that an attribute takes, since another entity's relationship says so.
  private func order(of attribute: String, _ number: Int, _ links: [MovedEntity.Link]) -> [RecordPath]? {
    for (other, mapping) in mappings.enumerated() {
      for (name, ordered) in mapping.orders where ordered == attribute {
        guard let relationship = mapping.entity.relationship(name), case .toMany(let by) = relationship.kind,
          relationship.target?.name == mappings[number].entity.name
        else { continue }
        let positions = by.compactMap { mappings[number].entity.position(of: $0) }
        if let link = links.first(where: { $0.positions == positions && $0.targets.contains(other) }) {
          return [RecordPath(["z_fok_\(link.column.name)"])]
        }
      }
    }
    return nil
  }

  /// Checks that the positions which ordered relationships are to have are there.
  private mutating func checkOrders(_ number: Int) {
    let entity = mappings[number].entity
    for (name, attribute) in mappings[number].orders.sorted(by: { $0.key < $1.key }) {
      guard let relationship = entity.relationship(name) else { continue }
      switch relationship.kind {
      case .toOne: problems.append("\(entity.name).\(name) leads to one row, which has no position")
      case .toMany:
        let columns = mappings.indices.filter { mappings[$0].entity.name == relationship.target?.name }.flatMap { other in
          entities[other].target.attributes.filter { $0.attribute.name == attribute }.flatMap(\.paths).map(\.description)
        }
        if !columns.contains(where: { $0.hasPrefix("z_fok_") }) {
          problems.append("\(entity.name).\(name) has no positions in the Core Data store, or no '\(attribute)' takes them")
        }
      case .manyToMany:
        if !pairs.contains(where: { $0.entity.name == relationship.join?.name && $0.order != nil }) {
          problems.append("\(entity.name).\(name) has no pairs in the Core Data store")
        }
      }
    }
  }

  // MARK: Pairs

  private mutating func addPairs(_ number: Int) {
    let entity = mappings[number].entity
    let parts = mappings[number].mapping.parts
    for relationship in entity.relationships {
      guard case .manyToMany(let by, let to) = relationship.kind, parts.relationships[relationship.name]?.isExcluded != true else {
        continue
      }
      let own = parts.relationships[relationship.name]?.paths.first?.names.first
      let targets = mappings.indices.filter { mappings[$0].entity.name == relationship.target?.name }
      let name = (own ?? relationship.name).lowercased()
      let found = sides(named: name, from: number, to: targets)
      if targets.isEmpty, schema.joins.contains(where: { join in join.sides.contains { $0.isNamed(name) } }) {
        problems.append(
          "\(entity.name).\(relationship.name) leads to \(relationship.target?.name ?? "an entity that is not there"), which no Core Data "
            + "entity becomes; name one, or exclude the relationship")
        continue
      }
      guard let (join, bySide, toSide) = found.first else {
        if let own { problems.append("\(entity.name).\(relationship.name) is mapped to '\(own)', which no table of pairs has") }
        continue
      }
      if found.count > 1 {
        let names = found.map { "'\($0.to.number.map { "\($0)" } ?? "")\($0.to.name)' of \($0.join.table)" }.joined(separator: ", ")
        problems.append("\(entity.name).\(relationship.name) may be \(names); map it to a side with its number, or to a table")
        continue
      }
      guard let through = relationship.join, let target = relationship.target else {
        problems.append("\(entity.name).\(relationship.name) goes through an entity that is not there")
        continue
      }
      let order = mappings[number].orders[relationship.name]
      // The other side's relationship has the same pairs.
      if let known = pairs.firstIndex(where: { $0.join == join && $0.entity.name == through.name }) {
        if order == nil || pairs[known].order != nil { continue }
        pairs.remove(at: known)
      }
      let (byPositions, toPositions) = (by.compactMap { through.position(of: $0) }, to.compactMap { through.position(of: $0) })
      guard byPositions.count == entity.key.attributes.count, toPositions.count == target.key.attributes.count,
        relationship.referenced == nil || relationship.referenced == entity.key.attributes
      else {
        problems.append("\(entity.name).\(relationship.name) pairs other attributes than the keys; exclude it")
        continue
      }
      let sources = mappings.indices.filter {
        mappings[$0].entity.name == entity.name && self.sources[$0].table == self.sources[number].table
      }
      addPairs(
        MovedPairs(
          join: join, by: bySide, to: toSide, sources: sources, targets: targets, entity: through, byPositions: byPositions,
          toPositions: toPositions, order: order.flatMap { through.position(of: $0) }, defaults: []),
        relationship: "\(entity.name).\(relationship.name)", order: order)
    }
  }

  private mutating func addPairs(_ pairs: MovedPairs, relationship: String, order: String?) {
    if let order {
      guard let position = pairs.order, [.integer, .real, .any].contains(pairs.entity.attributes[position].type) else {
        problems.append("\(relationship) has its positions in '\(order)', which is no number of \(pairs.entity.name)")
        return
      }
      guard pairs.to.order != nil else {
        problems.append("\(relationship) is not ordered: \(pairs.join.table) has no positions of \(pairs.to.name)")
        return
      }
    }
    var defaults: [StoredValue] = []
    for (position, attribute) in pairs.entity.attributes.enumerated() {
      let isFilled = pairs.byPositions.contains(position) || pairs.toPositions.contains(position) || pairs.order == position
      if let value = attribute.defaultValue, !isFilled, let stored = try? attribute.type.stored(value) {
        defaults.append(stored)
      } else if isFilled || attribute.isOptional || pairs.entity.key == .generated(attribute.name) {
        defaults.append(.null)
      } else if attribute.isVersion {
        defaults.append(.integer(0))
      } else {
        problems.append("\(relationship) can't be imported: a pair also needs \(pairs.entity.name).\(attribute.name)")
      }
    }
    self.pairs.append(
      MovedPairs(
        join: pairs.join, by: pairs.by, to: pairs.to, sources: pairs.sources, targets: pairs.targets, entity: pairs.entity,
        byPositions: pairs.byPositions, toPositions: pairs.toPositions, order: pairs.order, defaults: defaults))
  }

  /// The tables of pairs between an entity and others, by the name of the relationship.
  private func sides(
    named name: String, from number: Int, to targets: [Int]
  ) -> [(join: CoreDataJoin, by: CoreDataJoin.Side, to: CoreDataJoin.Side)] {
    func leads(_ side: CoreDataJoin.Side, to tables: [String]) -> Bool {
      guard let number = side.number else { return true }
      return schema.entity(number: number).map { tables.contains($0.table) } ?? false
    }
    let tables = targets.map { sources[$0].table }
    func sides(_ isNamed: (CoreDataJoin, CoreDataJoin.Side) -> Bool) -> [(join: CoreDataJoin, by: CoreDataJoin.Side, to: CoreDataJoin.Side)]
    {
      schema.joins.flatMap { join in
        [(join.sides[0], join.sides[1]), (join.sides[1], join.sides[0])].filter { by, to in
          isNamed(join, to) && leads(to, to: tables) && leads(by, to: [sources[number].table])
        }.map { (join, $0.0, $0.1) }
      }
    }
    let named = sides { join, side in side.isNamed(name) || join.table.lowercased() == name }
    return named.isEmpty ? sides { _, side in side.isNumbered(name) } : named
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
