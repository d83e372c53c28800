import DAOImport
import DAOKit
import Foundation
import TestCases

/// Random entities, rows of them that are related, and feeds that say what the rows are: after their import the store has these rows,
/// whatever the order of the records is and however often they come.
struct FeedWorld {
  /// An entity, and the parts of its description that feeds need.
  struct Kind {
    let name: String
    /// The attributes that identify a row.
    let identity: [String]
    let hasGeneratedKey: Bool
    var attributes: [Attribute]
    /// To-one relationships: the name and the number of the target.
    var links: [(name: String, target: Int, isOptional: Bool)] = []
    /// To-many relationships, the other side of a link: the name, the number of the target, and its link.
    var children: [(name: String, target: Int, link: String)] = []
    /// Many-to-many relationships: the name and the number of the target.
    var pairs: [(name: String, target: Int)] = []
  }

  /// A row, with those that it is related to by their numbers.
  struct Row {
    let kind: Int
    var values: [String: Scalar]
    var links: [String: Int] = [:]
    var pairs: [String: [Int]] = [:]
  }

  private(set) var kinds: [Kind] = []
  private(set) var rows: [Row] = []
  let descriptions: [EntityDescription]
  /// The names of the entities between two others.
  private let pairNames: [String]

  // MARK: Entities

  init(_ random: inout RandomSource) {
    let count = 1 + random.below(3)
    for number in 0..<count { kinds.append(Self.kind(number, &random)) }
    for number in kinds.indices {
      for link in 0..<random.below(3) {
        let target = random.below(count)
        // One that must lead somewhere leads to an entity before it, whose rows are there first.
        kinds[number].links.append(("link\(link)", target, target >= number || random.once(in: 2)))
        if random.once(in: 2) { kinds[target].children.append(("from\(number)_\(link)", number, "link\(link)")) }
      }
      if random.once(in: 3) { kinds[number].pairs.append(("pairs", random.below(count))) }
    }
    let box = DescriptionBox()
    let (descriptions, pairNames) = Self.descriptions(kinds, box)
    box.set(descriptions)
    (self.descriptions, self.pairNames) = (descriptions, pairNames)
    addRows(&random)
  }

  private static func kind(_ number: Int, _ random: inout RandomSource) -> Kind {
    let hasGeneratedKey = random.once(in: 2)
    let types: [AttributeType] = [.integer, .text, .uuid(.blob), .date(.iso8601), .decimal(.scaled(2))]
    var attributes: [Attribute] = hasGeneratedKey ? [Attribute("id", .integer, mapping: .excluded)] : []
    let identity = (0..<(random.once(in: 3) ? 2 : 1)).map { "key\($0)" }
    for name in identity { attributes.append(Attribute(name, random.pick(types), mapping: mapping(name, &random))) }
    let plain: [AttributeType] =
      types + [
        .bool, .real, .data, .uuid(.text), .date(.unixMilliseconds), .decimal(.text), .json, .any, .date(.unixNanoseconds),
        .date(.text("YYYY-MM-DD HH:MM:SS")), .date(.text("YYYY-MM-DD")), .date(.text("HH:MM:SS")), .date(.julianDays),
        .date(.text(DatePattern("YYYY-MM-DD HH:MM:SS+HH:MM", zone: "+01:00"))),
      ]
    for value in 0..<random.below(5) {
      let isOptional = random.once(in: 2)
      attributes.append(
        Attribute("value\(value)", random.pick(plain), optional: isOptional, mapping: mapping("value\(value)", &random)))
    }
    return Kind(name: "kind\(number)", identity: identity, hasGeneratedKey: hasGeneratedKey, attributes: attributes)
  }

  private static func mapping(_ name: String, _ random: inout RandomSource) -> AttributeMapping {
    switch random.below(4) {
    case 0: AttributeMapping(RecordPath(["nested", name]))
    case 1: AttributeMapping(RecordPath(["other \(name)"]), RecordPath([name]))
    case 2: AttributeMapping(RecordPath(["deep", "er", name]), RecordPath([name]))
    default: AttributeMapping()
    }
  }

  private static func descriptions(_ kinds: [Kind], _ box: DescriptionBox) -> ([EntityDescription], [String]) {
    var pairs: [EntityDescription] = []
    var descriptions: [EntityDescription] = []
    func keyNames(_ kind: Kind) -> [String] { kind.hasGeneratedKey ? ["id"] : kind.identity }
    func keyTypes(_ kind: Kind) -> [AttributeType] { keyNames(kind).compactMap { name in kind.attributes.first { $0.name == name }?.type } }
    for (number, kind) in kinds.enumerated() {
      var attributes = kind.attributes
      var relationships: [Relationship] = []
      for link in kind.links {
        let target = kinds[link.target]
        let names = keyNames(target).map { "\(link.name)_\($0)" }
        for (name, type) in zip(names, keyTypes(target)) {
          attributes.append(Attribute(name, type, optional: link.isOptional, mapping: .excluded))
        }
        relationships.append(
          Relationship(link.name, .toOne(by: names, onDelete: .deny), target: { box[link.target] }))
      }
      for child in kind.children {
        let by = keyNames(kind).map { "\(child.link)_\($0)" }
        relationships.append(Relationship(child.name, .toMany(by: by), target: { box[child.target] }))
      }
      for pair in kind.pairs {
        let target = kinds[pair.target]
        let (by, to) = (keyNames(kind).map { "by_\($0)" }, keyNames(target).map { "to_\($0)" })
        func attributes(_ prefix: String, _ kind: Kind) -> [Attribute] {
          zip(keyNames(kind), keyTypes(kind)).map { name, type in
            // A unit of work replaces the keys of new rows where a foreign key leads to them.
            Attribute(
              prefix + name, type, references: kind.hasGeneratedKey ? ForeignKey(table: kind.name, column: name, onDelete: .deny) : nil)
          }
        }
        let join = EntityDescription(
          "pair\(number)", key: .assigned(by + to), attributes: attributes("by_", kind) + attributes("to_", target))
        pairs.append(join)
        relationships.append(
          Relationship(pair.name, .manyToMany(by: by, to: to), target: { box[pair.target] }, through: { join }))
      }
      descriptions.append(
        EntityDescription(
          kind.name, key: kind.hasGeneratedKey ? .generated("id") : .assigned(kind.identity), attributes: attributes,
          indexes: kind.hasGeneratedKey ? [Index(on: kind.identity, unique: true)] : [], relationships: relationships,
          identity: kind.identity))
    }
    return (descriptions + pairs, pairs.map(\.name))
  }

  /// Whether objects of a relationship may need rows of other files, which need the rows around the objects: no order of files brings such.
  func mayBeCircular(_ relationship: String, of kind: Int) -> Bool {
    func needed(_ target: Int) -> [Int] { kinds[target].links.filter { !$0.isOptional }.map(\.target) }
    // Rows of a link are stored first, others behind the rows around them.
    let link = kinds[kind].links.first { $0.name == relationship }?.target
    if let link { return link > kind && !needed(link).isEmpty }
    let many = kinds[kind].children.map { ($0.name, $0.target) } + kinds[kind].pairs.map { ($0.name, $0.target) }
    return many.contains { name, target in name == relationship && needed(target).contains { $0 > kind } }
  }

  // MARK: Rows

  private mutating func addRows(_ random: inout RandomSource) {
    for (number, kind) in kinds.enumerated() {
      var identities: Set<[Scalar]> = []
      for _ in 0..<(1 + random.below(8)) {
        var row = Row(kind: number, values: [:])
        for attribute in kind.attributes where attribute.name != "id" {
          row.values[attribute.name] =
            attribute.isOptional && random.once(in: 3) ? .null : Self.value(attribute.type, &random)
        }
        if identities.insert(kind.identity.compactMap { row.values[$0] }).inserted { rows.append(row) }
      }
    }
    for number in rows.indices {
      let kind = kinds[rows[number].kind]
      for link in kind.links {
        let targets = rows.indices.filter { rows[$0].kind == link.target }
        if !link.isOptional || random.once(in: 2) { rows[number].links[link.name] = random.pick(targets) }
      }
      for pair in kind.pairs {
        rows[number].pairs[pair.name] = rows.indices.filter { rows[$0].kind == pair.target && random.once(in: 3) }
      }
    }
  }

  private static func value(_ type: AttributeType, _ random: inout RandomSource) -> Scalar {
    switch type {
    case .bool, .boolText: .bool(random.once(in: 2))
    case .integer: .integer(random.pick([0, 1, -1, .max, .min, 9_007_199_254_740_993, Int64(random.below(100))]))
    case .real: .real(random.pick([0, 1.5, -2.25e-7, 1e300, Double(random.below(100))]))
    case .text, .storedText:
      .text(random.pick(["", "a", "Ž", "e\u{301}", "x\"y\\z", "line\nline", "ß/~", "\(random.below(30))", "null", " x "]))
    case .data: .data(Data((0..<random.below(5)).map { UInt8($0 * 50) }))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(20)))))
    case .date(.text("YYYY-MM-DD")): .date(Date(timeIntervalSince1970: Double(random.below(20_000)) * 86_400))
    case .date(.text("HH:MM:SS")): .date(Date(timeIntervalSince1970: Double(random.below(86_400))))
    case .date: .date(Date(timeIntervalSince1970: Double(random.below(4_000_000)) / 4 * 1000))
    case .decimal: .decimal(Decimal(random.below(10_000)) / 100)
    case .json: .text(random.pick(["{}", "[1,2]", #"{"a":"b"}"#, "7", #""text""#]))
    case .any: random.once(in: 2) ? .integer(Int64(random.below(9))) : .text(random.pick(["seven", "x7"]))
    }
  }

  // MARK: Stores

  /// The rows of a store, with the identity of a row in place of each key that the store generates; sorted.
  func dump(_ factory: DAOFactory) throws -> [String] {
    var identities: [String: String] = [:]
    var found: [(kind: Int, row: DynamicEntity)] = []
    for (number, kind) in kinds.enumerated() {
      for row in try factory.runtimeDAO(descriptions[number]).findAll() {
        found.append((number, row))
        if let key = row.primaryKey { identities["\(kind.name)\(key)"] = "\(kind.identity.map { row[$0] ?? .null })" }
      }
    }
    func identity(_ kind: Int, _ key: [Scalar?]) -> String {
      let key = key.map { $0 ?? .null }
      return key.contains(.null) ? "nothing" : identities["\(kinds[kind].name)\(key)"] ?? "a row that is not there"
    }
    func keyNames(_ kind: Int) -> [String] { kinds[kind].hasGeneratedKey ? ["id"] : kinds[kind].identity }
    var lines = found.map { number, row in
      let kind = kinds[number]
      let values = kind.attributes.filter { $0.name != "id" }.map { "\($0.name): \(row[$0.name] ?? .null)" }
      let links = kind.links.map { link in
        "\(link.name): \(identity(link.target, keyNames(link.target).map { row["\(link.name)_\($0)"] }))"
      }
      return "\(kind.name) \((values + links).joined(separator: ", "))"
    }
    for (number, kind) in kinds.enumerated() {
      guard let pair = kind.pairs.first, let join = descriptions.first(where: { $0.name == "pair\(number)" }) else { continue }
      for row in try factory.runtimeDAO(join).findAll() {
        let (by, to) = (keyNames(number).map { row["by_\($0)"] }, keyNames(pair.target).map { row["to_\($0)"] })
        lines.append("\(join.name) \(identity(number, by)) – \(identity(pair.target, to))")
      }
    }
    return lines.sorted()
  }

  /// What a store has that has exactly these rows.
  var expected: [String] {
    func identity(_ row: Int?) -> String {
      row.map { row in "\(kinds[rows[row].kind].identity.map { rows[row].values[$0] ?? .null })" } ?? "nothing"
    }
    var lines = rows.map { row in
      let kind = kinds[row.kind]
      let values = kind.attributes.filter { $0.name != "id" }.map { "\($0.name): \(row.values[$0.name] ?? .null)" }
      let links = kind.links.map { "\($0.name): \(identity(row.links[$0.name]))" }
      return "\(kind.name) \((values + links).joined(separator: ", "))"
    }
    for (number, row) in rows.enumerated() {
      for other in row.pairs["pairs"] ?? [] { lines.append("pair\(row.kind) \(identity(number)) – \(identity(other))") }
    }
    return lines.sorted()
  }
}

/// The descriptions of entities that name each other.
private final class DescriptionBox: @unchecked Sendable {
  private var descriptions: [EntityDescription] = []

  subscript(number: Int) -> EntityDescription? { descriptions.indices.contains(number) ? descriptions[number] : nil }

  /// Is called once, before any is looked up.
  func set(_ descriptions: [EntityDescription]) { self.descriptions = descriptions }
}
