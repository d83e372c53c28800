import DAOKit

/// The entities and the tables of pairs of a Core Data store, read from its schema and from `Z_PRIMARYKEY`.
struct CoreDataSchema {
  /// The largest number that an entity of an app has: those of Core Data's own history, TRANSACTION and CHANGE, have larger ones.
  static let lastNumber: Int64 = 16_000

  private(set) var entities: [CoreDataEntity] = []
  private(set) var joins: [CoreDataJoin] = []
  /// The positions of the entities by their numbers.
  private var positions: [Int64: Int] = [:]
  /// The numbers of the entities right below each.
  private var children: [Int64: [Int64]] = [:]
  /// The names of the indexes by the names of their tables, all in lower case.
  private var indexes: [String: [String]] = [:]

  /// An entity as `Z_PRIMARYKEY` has it; a parent of 0 is none.
  private typealias Named = (name: String, parent: Int64)

  /// - Throws: ``DAOError/bootstrap(_:)`` where the file is not in Core Data's layout.
  init(_ connection: any Connection, path: String) throws {
    func problem(_ kind: DAOError.BootstrapProblem.Kind, _ message: String) -> DAOError {
      .bootstrap(DAOError.BootstrapProblem(kind, path: path, message))
    }
    var tables: [String] = []
    try connection.each("SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('table', 'index') ORDER BY name") { row in
      let (type, name, table) = (try row.takeStored(), try row.takeStored(), try row.takeStored())
      guard case .text(let name) = name, case .text(let table) = table else { return }
      if type == .text("table") { tables.append(name) } else { indexes[table.lowercased(), default: []].append(name.lowercased()) }
    }
    guard tables.contains(where: { SchemaName.same($0, "Z_PRIMARYKEY") }) else {
      throw problem(.wrongApplication, "the file is no Core Data store: it has no table Z_PRIMARYKEY")
    }
    let known = try Self.columns(of: "Z_PRIMARYKEY", connection).map { SchemaName($0.name) }
    for name in ["Z_ENT", "Z_NAME", "Z_SUPER"] where !known.contains(SchemaName(name)) {
      throw problem(.wrongApplication, "the file is no Core Data store: its table Z_PRIMARYKEY has no column \(name)")
    }
    let named = try Self.named(connection) { problem(.corrupt, $0) }
    let roots = try Self.roots(named) { problem(.corrupt, $0) }
    let tableNames = Dictionary(tables.map { (SchemaName($0), $0) }, uniquingKeysWith: { first, _ in first })
    var columnsOfTables: [String: [(name: String, declared: String)]] = [:]
    for (number, entity) in named.sorted(by: { $0.key < $1.key }) {
      let root = roots[number].flatMap { named[$0]?.name } ?? entity.name
      // An entity of another configuration has no table here.
      guard let table = tableNames[SchemaName("Z" + root)] ?? tableNames[SchemaName("Z" + root.uppercased())] else { continue }
      let columns = try columnsOfTables[table] ?? Self.columns(of: table, connection)
      columnsOfTables[table] = columns
      guard columns.contains(where: { SchemaName.same($0.name, "Z_PK") }), columns.contains(where: { SchemaName.same($0.name, "Z_ENT") })
      else { throw problem(.corrupt, "the table \(table) of the entity \(entity.name) has no Z_PK or no Z_ENT") }
      let parent = entity.parent == 0 ? nil : entity.parent
      positions[number] = entities.count
      if let parent { children[parent, default: []].append(number) }
      entities.append(
        CoreDataEntity(
          name: entity.name, superEntity: named[entity.parent]?.name,
          description: Self.description(of: entity.name, table, columns), number: number, superNumber: parent))
    }
    for table in tables {
      if let join = CoreDataJoin(table, columns: try Self.columns(of: table, connection).map(\.name)) { joins.append(join) }
    }
  }

  /// The entities in `Z_PRIMARYKEY`, by their numbers, without those of the history.
  private static func named(_ connection: any Connection, _ problem: (String) -> DAOError) throws -> [Int64: Named] {
    var named: [Int64: Named] = [:]
    var names: Set<String> = []
    try connection.each("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") { row in
      let (number, name, parent) = (try row.takeStored(), try row.takeStored(), try row.takeStored())
      if case .integer(let number) = number, number > lastNumber { return }
      guard case .integer(let number) = number, case .text(let name) = name else {
        throw problem("Z_PRIMARYKEY has the entity \(name.shown) with the number \(number.shown)")
      }
      guard names.insert(name).inserted, named[number] == nil else {
        throw problem("Z_PRIMARYKEY has the entity \(name) or the number \(number) twice")
      }
      switch parent {
      case .integer(let parent): named[number] = (name, parent)
      case .null: named[number] = (name, 0)
      default: throw problem("Z_PRIMARYKEY has \(parent.shown) as the super-entity of \(name)")
      }
    }
    return named
  }

  /// The numbers of the entities at the top, which have the tables, by the numbers of those below. Each is visited once.
  private static func roots(_ named: [Int64: Named], _ problem: (String) -> DAOError) throws -> [Int64: Int64] {
    var roots: [Int64: Int64] = [:]
    for (number, entity) in named.sorted(by: { $0.key < $1.key }) {
      var (way, seen, next) = ([Int64](), Set<Int64>(), number)
      while roots[next] == nil {
        guard seen.insert(next).inserted else { throw problem("the super-entities of \(entity.name) lead in a circle") }
        way.append(next)
        guard let current = named[next], current.parent != 0 else {
          roots[next] = next
          break
        }
        guard named[current.parent] != nil else {
          throw problem("Z_PRIMARYKEY has no entity \(current.parent), the super-entity of \(current.name)")
        }
        next = current.parent
      }
      for step in way { roots[step] = roots[next] }
    }
    return roots
  }

  /// The entity of a name: as it is spelled, else without regard to case.
  func entity(_ name: String) -> CoreDataEntity? {
    entities.first { $0.name == name } ?? entities.first { SchemaName.same($0.name, name) }
  }

  /// The entity with a number.
  func entity(number: Int64) -> CoreDataEntity? { positions[number].map { entities[$0] } }

  /// An entity and its sub-entities, at any depth, in the order of their numbers.
  /// - Parameter numbers: sub-entities that are left out with those below them.
  func family(of entity: CoreDataEntity, without numbers: Set<Int64> = []) -> [CoreDataEntity] {
    var (found, next) = ([Int64](), [entity.number])
    while let number = next.popLast() {
      found.append(number)
      next += (children[number] ?? []).filter { !numbers.contains($0) }
    }
    return found.sorted().compactMap { self.entity(number: $0) }
  }

  /// Whether a column has the index that Core Data gives each reference to one row: `ZNOTE_ZFOLDER_INDEX`.
  func hasReferenceIndex(_ column: Attribute, of entity: CoreDataEntity) -> Bool {
    let suffix = "_\(column.column.lowercased())_index"
    return indexes[entity.table.lowercased()]?.contains { $0.hasSuffix(suffix) } ?? false
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
