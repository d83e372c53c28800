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
    /// The column of an attribute `twin`, which sub-entities of one entity have each: Core Data numbers their columns.
    var twin: String?
    /// To-one relationships: the name and the number of the moved entity that they lead to. The new relationship may have another name than
    /// its attribute, so that only that has the name of the column.
    var links: [(name: String, target: Int, isOptional: Bool, isByAttribute: Bool)] = []
    /// Many-to-many relationships.
    var pairs: [Pair] = []
  }

  /// A many-to-many relationship.
  struct Pair {
    let name: String
    let target: Int
    let isOrdered, isInverseOrdered: Bool
    /// The number behind the name of its column, where several entities have relationships of one name.
    var suffix = ""

    var targetColumn: String { "\(target + 1)\(name.uppercased())\(suffix)" }
    func table(of kind: Int) -> String { "Z_\(kind + 1)\(name.uppercased())" }
    func inverseColumn(of kind: Int) -> String { "\(kind + 1)INVERSE\(name.uppercased())" }
  }

  struct Row {
    let kind: Int
    let number: Int64
    let mark: String
    var values: [String: Scalar] = [:]
    var twin: Scalar?
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
        kinds[number].links.append(("link\(number)x\(link)", target, isOptional, random.once(in: 2)))
      }
      if random.once(in: 2) {
        kinds[number].pairs.append(
          Pair(name: "pairs\(number)", target: random.pick(moved), isOrdered: random.once(in: 2), isInverseOrdered: random.once(in: 3)))
      }
    }
    addNamesakes(&random)
    makeEntities()
    addRows(&random)
  }

  /// Gives sub-entities attributes and relationships of one name.
  private mutating func addNamesakes(_ random: inout RandomSource) {
    let moved = kinds.indices.filter { kinds[$0].isMoved }
    let target = random.pick(moved)
    var count = 0
    for kind in kinds.indices where kinds[kind].parent != nil {
      let above = ancestors(kind).dropFirst()
      if !above.contains(where: { kinds[$0].twin != nil }), random.once(in: 2) {
        let known = kinds.filter { $0.root == kinds[kind].root && $0.twin != nil }.count
        kinds[kind].twin = "ZTWIN" + (known == 0 ? "" : "\(known)")
      }
      if kinds[kind].isMoved, !above.contains(where: { kinds[$0].pairs.contains { $0.name == "kin" } }), random.once(in: 2) {
        kinds[kind].pairs.append(
          Pair(
            name: "kin", target: target, isOrdered: random.once(in: 2), isInverseOrdered: random.once(in: 3),
            suffix: count == 0 ? "" : "\(count)"))
        count += 1
      }
    }
  }

  static func kind(_ name: String, parent: Int?, root: Int, isMoved: Bool, _ random: inout RandomSource) -> Kind {
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
  func family(_ kind: Int) -> [Int] { kinds.indices.filter { moved($0) == kind } }

  /// The entities of which an attribute may be: Core Data's sub-entities have those of their super-entities.
  func ancestors(_ kind: Int) -> [Int] {
    var (found, next) = ([Int](), Optional(kind))
    while let kind = next {
      found.append(kind)
      next = kinds[kind].parent
    }
    return found
  }

  /// The entities whose attributes and relationships a new entity has.
  func parts(_ kind: Int) -> [Int] { Set(family(kind).flatMap(ancestors)).sorted() }

  func hasTwin(_ kind: Int) -> Bool { parts(kind).contains { kinds[$0].twin != nil } }

  func keyName(_ kind: Int) -> String { kinds[kind].key == .code ? "mark" : "id" }
  func keyType(_ kind: Int) -> AttributeType { kinds[kind].key == .code ? .text : .integer }

  private mutating func makeEntities() {
    let box = EntityBox()
    for kind in kinds.indices where kinds[kind].isMoved {
      var attributes: [Attribute] = kinds[kind].key == .code ? [] : [Attribute("id", .integer)]
      attributes.append(Attribute("mark", .text))
      if hasTwin(kind) { attributes.append(Attribute("twin", .text, optional: true)) }
      var relationships: [Relationship] = []
      for part in parts(kind) {
        attributes += kinds[part].attributes.map { Attribute($0.name.capitalized, $0.type, optional: true) }
        for link in kinds[part].links {
          // Rows of sub-entities that are moved with it may not have the relationship.
          let isOptional = link.isOptional || !ancestors(kind).contains(part)
          attributes.append(Attribute(link.name, keyType(link.target), optional: isOptional))
          let name = link.isByAttribute ? "to\(link.name)" : link.name
          relationships.append(Relationship(name, .toOne(by: [link.name], onDelete: .deny), target: { box[link.target] }))
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
        if kinds[part].twin != nil, random.once(in: 2) { rows[row].twin = Self.value(.text, &random) }
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

  static func value(_ type: AttributeType, _ random: inout RandomSource) -> Scalar {
    switch type {
    case .bool, .boolText: .bool(random.once(in: 2))
    case .integer: .integer(random.pick([0, 1, -1, .max, .min, 9_007_199_254_740_993, Int64(random.below(100))]))
    case .real: .real(random.pick([0, 1.5, -2.25e-7, 1e300, .infinity, Double(random.below(100))]))
    case .data: .data(Data((0..<random.below(5)).map { UInt8($0 * 50) }))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(20)))))
    case .date:
      .date(
        Date(
          timeIntervalSinceReferenceDate: Double(random.below(4_000_000) - 2_000_000) * 250.25 + Double(random.below(1_000_003)) / 1_000_003
        ))
    case .decimal: .decimal(Decimal(random.below(10_000_000) - 5_000_000) / 100)
    default: .text(random.pick(["", "a", "Ž", "e\u{301}", "x\"y\\z", "line\nline", "ß/~", "null", " x ", "19.90", "🙂"]))
    }
  }
}
