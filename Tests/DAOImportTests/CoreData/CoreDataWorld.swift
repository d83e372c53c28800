import DAOImport
import DAOKit
import Foundation
import GRDB
import TestCases

/// A random model of Core Data, rows of it, and entities of DAOKit into which they are imported.
struct CoreDataWorld {
  /// The key of the rows in the new store.
  enum Key { case generated, kept, code }

  /// An entity of the model.
  struct Kind {
    let name: String
    let parent: Int?
    let root: Int
    /// Whether it becomes an entity of its own; else its rows are among those of its super-entity.
    let isMoved: Bool
    let key: Key
    var attributes: [(name: String, type: AttributeType, isExternal: Bool)] = []
    /// To-one relationships: the name and the number of the moved entity that they lead to.
    var links: [(name: String, target: Int, isOptional: Bool)] = []
    /// Many-to-many relationships.
    var pairs: [(name: String, target: Int, isOrdered: Bool)] = []
  }

  struct Row {
    let kind: Int
    let number: Int64
    let mark: String
    var values: [String: Scalar] = [:]
    var links: [String: Int] = [:]
    var pairs: [String: [Int]] = [:]
  }

  private(set) var kinds: [Kind] = []
  private(set) var rows: [Row] = []
  /// The new entities, by the numbers of those of the model; those between two others follow.
  private(set) var entities: [Int: EntityDescription] = [:]
  private(set) var joins: [String: EntityDescription] = [:]

  // MARK: The model

  init(_ random: inout RandomSource) {
    for root in 0..<(1 + random.below(3)) {
      kinds.append(Self.kind("Root\(root)", parent: nil, root: kinds.count, isMoved: true, &random))
      let first = kinds.count - 1
      for sub in 0..<random.below(3) {
        let parent = random.once(in: 2) ? first : kinds.count - 1
        kinds.append(Self.kind("Root\(root)Sub\(sub)", parent: parent, root: first, isMoved: random.once(in: 2), &random))
      }
    }
    for number in kinds.indices {
      let moved = kinds.indices.filter { kinds[$0].isMoved }
      for link in 0..<random.below(3) {
        let target = random.pick(moved)
        // One that must lead somewhere leads to an entity that is complete before.
        let isOptional = target >= self.moved(number) || !kinds[number].isMoved || random.once(in: 2)
        kinds[number].links.append(("link\(number)x\(link)", target, isOptional))
      }
      if random.once(in: 2) { kinds[number].pairs.append(("pairs\(number)", random.pick(moved), random.once(in: 2))) }
    }
    makeEntities()
    addRows(&random)
  }

  private static func kind(_ name: String, parent: Int?, root: Int, isMoved: Bool, _ random: inout RandomSource) -> Kind {
    var kind = Kind(
      name: name, parent: parent, root: root, isMoved: isMoved, key: random.pick([.generated, .generated, .kept, .code]))
    let types: [AttributeType] = [
      .integer, .real, .bool, .text, .data, .uuid(.blob), .uuid(.text), .date(.iso8601), .date(.unixSeconds), .date(.unixMilliseconds),
      .decimal(.scaled(2)), .decimal(.text),
    ]
    for number in 0..<random.below(5) {
      let type = random.pick(types)
      kind.attributes.append(("attr\(name)X\(number)", type, type == .data && random.once(in: 2)))
    }
    return kind
  }

  /// The entity whose rows those of an entity become.
  func moved(_ kind: Int) -> Int {
    var kind = kind
    while !kinds[kind].isMoved, let parent = kinds[kind].parent { kind = parent }
    return kind
  }

  /// The entities whose rows become those of one.
  private func family(_ kind: Int) -> [Int] { kinds.indices.filter { moved($0) == kind } }

  /// The entities of which an attribute may be: Core Data's sub-entities have those of their super-entities.
  private func ancestors(_ kind: Int) -> [Int] {
    var (found, next) = ([Int](), Optional(kind))
    while let kind = next {
      found.append(kind)
      next = kinds[kind].parent
    }
    return found
  }

  /// The entities whose attributes and relationships a new entity has.
  private func parts(_ kind: Int) -> [Int] { Set(family(kind).flatMap(ancestors)).sorted() }

  private func keyName(_ kind: Int) -> String { kinds[kind].key == .code ? "mark" : "id" }
  private func keyType(_ kind: Int) -> AttributeType { kinds[kind].key == .code ? .text : .integer }

  private mutating func makeEntities() {
    let box = EntityBox()
    for kind in kinds.indices where kinds[kind].isMoved {
      var attributes: [Attribute] = kinds[kind].key == .code ? [] : [Attribute("id", .integer)]
      attributes.append(Attribute("mark", .text))
      var relationships: [Relationship] = []
      for part in parts(kind) {
        attributes += kinds[part].attributes.map { Attribute($0.name.capitalized, $0.type, optional: true) }
        for link in kinds[part].links {
          // Rows of sub-entities that are moved with it may not have the relationship.
          let isOptional = link.isOptional || !ancestors(kind).contains(part)
          attributes.append(Attribute(link.name, keyType(link.target), optional: isOptional))
          relationships.append(Relationship(link.name, .toOne(by: [link.name], onDelete: .deny), target: { box[link.target] }))
        }
        for pair in kinds[part].pairs {
          let name = "join\(kind)\(pair.name)"
          joins[name] = EntityDescription(
            name, key: .assigned(["one", "other"]),
            attributes: [
              Attribute("one", keyType(kind)), Attribute("other", keyType(pair.target)), Attribute("place", .integer, optional: true),
            ])
          let join = joins[name]
          relationships.append(
            Relationship(pair.name, .manyToMany(by: ["one"], to: ["other"]), target: { box[pair.target] }, through: { join }))
        }
      }
      let key: EntityDescription.Key = kinds[kind].key == .generated ? .generated("id") : .assigned([keyName(kind)])
      entities[kind] = EntityDescription("new\(kind)", key: key, attributes: attributes, relationships: relationships)
    }
    box.set(entities)
  }

  // MARK: Rows

  private mutating func addRows(_ random: inout RandomSource) {
    var next: [Int: Int64] = [:]
    for _ in 0..<(3 + random.below(30)) {
      let kind = random.below(kinds.count)
      let number = next[kinds[kind].root, default: 0] + 1 + Int64(random.below(3))
      next[kinds[kind].root] = number
      rows.append(Row(kind: kind, number: number, mark: "r\(rows.count)"))
    }
    for row in rows.indices {
      for part in ancestors(rows[row].kind) {
        for attribute in kinds[part].attributes where random.below(4) > 0 {
          rows[row].values[attribute.name] = Self.value(attribute.type, &random)
        }
        for link in kinds[part].links {
          let targets = rows.indices.filter { moved(rows[$0].kind) == link.target }
          if !link.isOptional || random.once(in: 2), !targets.isEmpty { rows[row].links[link.name] = random.pick(targets) }
        }
        for pair in kinds[part].pairs {
          rows[row].pairs[pair.name] = rows.indices.filter { moved(rows[$0].kind) == pair.target && random.once(in: 3) }.shuffled(
            using: &random)
        }
      }
    }
    // A row that must lead to another is not there without one.
    while let row = rows.indices.first(where: { row in
      ancestors(rows[row].kind).contains { part in kinds[part].links.contains { !$0.isOptional && rows[row].links[$0.name] == nil } }
    }) {
      remove(row)
    }
  }

  private mutating func remove(_ removed: Int) {
    rows.remove(at: removed)
    func moved(_ row: Int) -> Int? { row == removed ? nil : row > removed ? row - 1 : row }
    for row in rows.indices {
      rows[row].links = rows[row].links.compactMapValues(moved)
      rows[row].pairs = rows[row].pairs.mapValues { $0.compactMap(moved) }
    }
  }

  private static func value(_ type: AttributeType, _ random: inout RandomSource) -> Scalar {
    switch type {
    case .bool: .bool(random.once(in: 2))
    case .integer: .integer(random.pick([0, 1, -1, .max, .min, 9_007_199_254_740_993, Int64(random.below(100))]))
    case .real: .real(random.pick([0, 1.5, -2.25e-7, 1e300, .infinity, Double(random.below(100))]))
    case .data: .data(Data((0..<random.below(5)).map { UInt8($0 * 50) }))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(20)))))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(random.below(4_000_000) - 2_000_000) * 250.25))
    case .decimal: .decimal(Decimal(random.below(10_000_000) - 5_000_000) / 100)
    default: .text(random.pick(["", "a", "Ž", "e\u{301}", "x\"y\\z", "line\nline", "ß/~", "null", " x ", "19.90", "🙂"]))
    }
  }

  // MARK: The Core Data store

  /// The column of a name of the model.
  private func column(_ name: String) -> String { "Z\(name.uppercased())" }

  /// Writes the model and its rows.
  func write(to file: CoreDataFile, _ random: inout RandomSource) throws {
    for (number, kind) in kinds.enumerated() {
      try file.run("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)", [number + 1, kind.name, (kind.parent ?? -1) + 1])
    }
    for (number, kind) in kinds.enumerated() where kind.parent == nil {
      var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZMARK VARCHAR"]
      for part in kinds where part.root == number {
        columns += part.attributes.map { "\(column($0.name)) \(Self.declared($0.type))" }
        columns += part.links.map { "\(column($0.name)) INTEGER" }
      }
      columns.shuffle(using: &random)
      try file.run("CREATE TABLE \(column(kind.name)) (\(columns.joined(separator: ", ")))")
    }
    for (number, kind) in kinds.enumerated() {
      for pair in kind.pairs {
        let (one, other) = ("Z_\(number + 1)INVERSE\(pair.name.uppercased())", "Z_\(pair.target + 1)\(pair.name.uppercased())")
        let order = pair.isOrdered ? ", Z_FOK_\(pair.target + 1)\(pair.name.uppercased()) INTEGER" : ""
        let sides = [one, other].shuffled(using: &random).map { "\($0) INTEGER" }.joined(separator: ", ")
        try file.run("CREATE TABLE Z_\(number + 1)\(pair.name.uppercased()) (\(sides)\(order), PRIMARY KEY (\(one), \(other)))")
      }
    }
    for row in rows {
      var values: [(String, DatabaseValue)] = [
        ("Z_PK", row.number.databaseValue), ("Z_ENT", (row.kind + 1).databaseValue), ("Z_OPT", 1.databaseValue),
        ("ZMARK", row.mark.databaseValue),
      ]
      for part in ancestors(row.kind) {
        for attribute in kinds[part].attributes {
          guard let value = row.values[attribute.name] else { continue }
          values.append((column(attribute.name), try Self.stored(value, attribute.isExternal, file, &random)))
        }
        values += kinds[part].links.compactMap { link in row.links[link.name].map { (column(link.name), rows[$0].number.databaseValue) } }
        for pair in kinds[part].pairs {
          for (place, other) in (row.pairs[pair.name] ?? []).enumerated() {
            var values: [(String, Int64)] = [
              ("Z_\(part + 1)INVERSE\(pair.name.uppercased())", row.number),
              ("Z_\(pair.target + 1)\(pair.name.uppercased())", rows[other].number),
            ]
            if pair.isOrdered { values.append(("Z_FOK_\(pair.target + 1)\(pair.name.uppercased())", Int64(place + 1) * 1024)) }
            try file.insert(into: "Z_\(part + 1)\(pair.name.uppercased())", values.map { ($0, $1.databaseValue) })
          }
        }
      }
      try file.insert(into: column(kinds[kinds[row.kind].root].name), values)
    }
  }

  private static func declared(_ type: AttributeType) -> String {
    switch type {
    case .integer, .bool: "INTEGER"
    case .real: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .data, .uuid: "BLOB"
    default: "VARCHAR"
    }
  }

  private static func stored(_ value: Scalar, _ isExternal: Bool, _ file: CoreDataFile, _ random: inout RandomSource) throws
    -> DatabaseValue
  {
    switch value {
    case .bool(let value): value.databaseValue
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let text): text.databaseValue
    case .date(let date): date.timeIntervalSinceReferenceDate.databaseValue
    case .decimal(let decimal): decimal.description.databaseValue
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Data($0) }.databaseValue
    case .data(let data):
      if !isExternal {
        data.databaseValue
      } else if random.once(in: 2) {
        (Data([1]) + data).databaseValue
      } else {
        try file.external(data).databaseValue
      }
    case .null: .null
    }
  }

  // MARK: The import

  /// The mappings of all moved entities, in any order.
  func mappings(_ random: inout RandomSource) -> [CoreDataMapping] {
    let mappings = kinds.indices.filter { kinds[$0].isMoved }.compactMap { kind -> CoreDataMapping? in
      guard let entity = entities[kind] else { return nil }
      var mapping = ImportMapping<DynamicEntity>()
      if kinds[kind].key == .kept { mapping["id"] = random.once(in: 2) ? "z_pk" : "Z_PK" }
      var data: [String: CoreDataMapping.DataForm] = [:]
      var orders: [String: String] = [:]
      for part in parts(kind) {
        for attribute in kinds[part].attributes where attribute.type == .data {
          data[attribute.name] = attribute.isExternal ? .external : .plain
        }
        for pair in kinds[part].pairs where pair.isOrdered { orders[pair.name] = "place" }
      }
      return .entity(describedBy: entity, from: kinds[kind].name, mapping, data: data, orders: orders)
    }
    return mappings.shuffled(using: &random)
  }

  /// The rows of the new store, with the mark of a row in place of each key; sorted.
  func dump(_ factory: DAOFactory) throws -> [String] {
    var marks: [String: String] = [:]
    var found: [(kind: Int, row: DynamicEntity)] = []
    for (kind, entity) in entities {
      for row in try factory.runtimeDAO(entity).findAll() {
        found.append((kind, row))
        marks["\(kind) \(row[keyName(kind)] ?? .null)"] = row["mark"].map { "\($0)" }
      }
    }
    func mark(_ kind: Int, _ key: Scalar?) -> String { key.map { $0.isNull ? "–" : marks["\(kind) \($0)"] ?? "?" } ?? "–" }
    var lines = found.map { kind, row in
      var parts = ["new\(kind)", mark(kind, row[keyName(kind)])]
      for part in self.parts(kind) {
        parts += kinds[part].attributes.map { Self.shown(row[$0.name.capitalized]) }
        parts += kinds[part].links.map { mark($0.target, row[$0.name]) }
      }
      return parts.joined(separator: " ")
    }
    for kind in entities.keys {
      for pair in self.parts(kind).flatMap({ kinds[$0].pairs }) {
        guard let join = joins["join\(kind)\(pair.name)"] else { continue }
        for row in try factory.runtimeDAO(join).findAll() {
          lines.append("\(join.name) \(mark(kind, row["one"])) \(mark(pair.target, row["other"])) \(row["place"] ?? .null)")
        }
      }
    }
    return lines.sorted()
  }

  /// What a store has that has exactly these rows.
  var expected: [String] {
    func mark(_ row: Int?) -> String { row.map { "\"\(rows[$0].mark)\"" } ?? "–" }
    var lines: [String] = []
    for (number, row) in rows.enumerated() {
      let kind = moved(row.kind)
      var parts = ["new\(kind)", mark(number)]
      for part in self.parts(kind) {
        parts += kinds[part].attributes.map { Self.shown(row.values[$0.name]) }
        parts += kinds[part].links.map { mark(row.links[$0.name]) }
        for pair in kinds[part].pairs {
          for (place, other) in (row.pairs[pair.name] ?? []).enumerated() {
            lines.append("join\(kind)\(pair.name) \(mark(number)) \(mark(other)) \(pair.isOrdered ? "\((place + 1) * 1024)" : "nil")")
          }
        }
      }
      lines.append(parts.joined(separator: " "))
    }
    return lines.sorted()
  }

  private static func shown(_ value: Scalar?) -> String {
    switch value {
    case .date(let date): "\(date.timeIntervalSince1970)"
    case .data(let data): "\([UInt8](data))"
    case let value: "\(value ?? .null)"
    }
  }

  var descriptions: [EntityDescription] { entities.sorted { $0.key < $1.key }.map(\.value) + joins.sorted { $0.key < $1.key }.map(\.value) }
}

/// The descriptions of entities that name each other.
private final class EntityBox: @unchecked Sendable {
  private var entities: [Int: EntityDescription] = [:]

  subscript(kind: Int) -> EntityDescription? { entities[kind] }

  /// Is called once, before any is looked up.
  func set(_ entities: [Int: EntityDescription]) { self.entities = entities }
}
