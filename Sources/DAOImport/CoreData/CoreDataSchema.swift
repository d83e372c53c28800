import DAOKit

/// The entities and the tables of pairs of a Core Data store, read from its schema and from `Z_PRIMARYKEY`.
struct CoreDataSchema {
  private(set) var entities: [CoreDataEntity] = []
  private(set) var joins: [CoreDataJoin] = []

  /// - Throws: ``DAOError/bootstrap(_:)`` where the file is not in Core Data's layout.
  init(_ connection: any Connection, path: String) throws {
    func problem(_ kind: DAOError.BootstrapProblem.Kind, _ message: String) -> DAOError {
      .bootstrap(DAOError.BootstrapProblem(kind, path: path, message))
    }
    var tables: [String] = []
    try connection.each("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { row in
      if case .text(let name) = try row.takeStored() { tables.append(name) }
    }
    guard tables.contains(where: { SchemaName.same($0, "Z_PRIMARYKEY") }) else {
      throw problem(.wrongApplication, "the file is no Core Data store: it has no table Z_PRIMARYKEY")
    }
    let known = try Self.columns(of: "Z_PRIMARYKEY", connection).map { SchemaName($0.name) }
    for name in ["Z_ENT", "Z_NAME", "Z_SUPER"] where !known.contains(SchemaName(name)) {
      throw problem(.wrongApplication, "the file is no Core Data store: its table Z_PRIMARYKEY has no column \(name)")
    }
    var named: [Int64: (name: String, parent: Int64)] = [:]
    try connection.each("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") { row in
      let (number, name, parent) = (try row.takeStored(), try row.takeStored(), try row.takeStored())
      guard case .integer(let number) = number, case .text(let name) = name else {
        throw problem(.corrupt, "Z_PRIMARYKEY has the entity \(name.shown) with the number \(number.shown)")
      }
      switch parent {
      case .integer(let parent): named[number] = (name, parent)
      case .null: named[number] = (name, 0)
      default: throw problem(.corrupt, "Z_PRIMARYKEY has \(parent.shown) as the super-entity of \(name)")
      }
    }
    let tableNames = Dictionary(tables.map { (SchemaName($0), $0) }, uniquingKeysWith: { first, _ in first })
    for (number, entity) in named.sorted(by: { $0.key < $1.key }) {
      var root = entity
      for _ in named.indices where root.parent != 0 {
        guard let parent = named[root.parent] else {
          throw problem(.corrupt, "Z_PRIMARYKEY has no entity \(root.parent), the super-entity of \(root.name)")
        }
        root = parent
      }
      if root.parent != 0 { throw problem(.corrupt, "the super-entities of \(entity.name) lead in a circle") }
      // The tables of Core Data's own history have other names, and an entity of another configuration has none here.
      guard let table = tableNames[SchemaName("Z" + root.name)] ?? tableNames[SchemaName("Z" + root.name.uppercased())] else { continue }
      let columns = try Self.columns(of: table, connection)
      guard columns.contains(where: { SchemaName.same($0.name, "Z_PK") }), columns.contains(where: { SchemaName.same($0.name, "Z_ENT") })
      else { throw problem(.corrupt, "the table \(table) of the entity \(entity.name) has no Z_PK or no Z_ENT") }
      entities.append(
        CoreDataEntity(
          name: entity.name, superEntity: named[entity.parent]?.name,
          description: Self.description(of: entity.name, table, columns), number: number))
    }
    for table in tables {
      if let join = CoreDataJoin(table, columns: try Self.columns(of: table, connection).map(\.name)) { joins.append(join) }
    }
  }

  /// The entity of a name: as it is spelled, else without regard to case.
  func entity(_ name: String) -> CoreDataEntity? {
    entities.first { $0.name == name } ?? entities.first { SchemaName.same($0.name, name) }
  }

  /// The entity with a number.
  func entity(number: Int64) -> CoreDataEntity? { entities.first { $0.number == number } }

  /// An entity and its sub-entities, at any depth.
  func family(of entity: CoreDataEntity) -> [CoreDataEntity] {
    entities.filter { candidate in
      var next: CoreDataEntity? = candidate
      while let current = next {
        if current.number == entity.number { return true }
        next = current.superEntity.flatMap(self.entity)
      }
      return false
    }
  }

  private static func columns(of table: String, _ connection: any Connection) throws -> [(name: String, declared: String)] {
    var columns: [(String, String)] = []
    try connection.each("SELECT name, type FROM pragma_table_info(?)", [.text(table)]) { row in
      if case .text(let name) = try row.takeStored(), case .text(let type) = try row.takeStored() { columns.append((name, type)) }
    }
    return columns
  }

  private static func description(
    of entity: String, _ table: String, _ columns: [(name: String, declared: String)]
  ) -> EntityDescription {
    let attributes = columns.filter { !SchemaName.same($0.name, "Z_OPT") }.map { column in
      let name = CoreDataEntity.name(of: column.name)
      // The number of the entity is read as its name.
      let type = name == "z_ent" ? .text : name == "z_pk" ? .integer : CoreDataEntity.type(declared: column.declared)
      return Attribute(name, type, column: column.name, optional: name != "z_pk")
    }
    return EntityDescription(entity, table: table, key: .assigned(["z_pk"]), attributes: attributes)
  }
}
