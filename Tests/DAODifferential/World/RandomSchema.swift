import DAOKit
import TestCases

/// Makes a schema: tables with all kinds of keys and types, which point to each other and to themselves.
struct RandomSchema {
  var random: RandomSource
  private(set) var schema = Schema()

  init(_ random: RandomSource) { self.random = random }

  private static let types: [AttributeType] = [
    .bool, .boolText("true/false"), .boolText("Y/N"), .boolText("1/0"), .integer, .real, .text, .text, .text(.nocase), .text(.rtrim),
    .text(.padded(12)), .text(.blob),
    .json, .json, .data, .uuid(.blob),
    .uuid(.text), .uuid(.spelled([.capitals, .inBraces])), .uuid(.spelled([.withoutHyphens])), .date(.iso8601), .date(.unixSeconds),
    .date(.unixMilliseconds), .decimal(.text), .decimal(.scaled(2)), .decimal(.numeric(2)), .decimal(.numeric(0)), .decimal(.real(2)), .any,
  ]
  /// Forms of dates that other programs write.
  private static let dates: [AttributeType.DateStorage] =
    [.unixMicroseconds, .unixNanoseconds, .secondsSince2001, .julianDays, .unixSecondsText, .unixMillisecondsText]
    + [
      DatePattern("YYYY-MM-DD HH:MM:SS"), DatePattern("YYYY-MM-DD HH:MM:SS[.SSSSSS]"), DatePattern("YYYY-MM-DDTHH:MM:SS.SSSZ"),
      DatePattern("YYYY-MM-DDTHH:MM:SS.FFFFFFFZ"), DatePattern("YYYY-MM-DD HH:MM:SS+HH:MM"),
      DatePattern("YYYY-MM-DD HH:MM:SS[.SSSSSS]+HH:MM", zone: "Europe/Bratislava"), DatePattern("YYYY-MM-DD"),
      DatePattern("YYYY-MM-DD", zone: "America/New_York"), DatePattern("YYYY-MM-DD HH:MM"),
      DatePattern("YYYY-MM-DD HH:MM:SS.SSSSSSSSS", zone: "Europe/Bratislava"), DatePattern("HH:MM"), DatePattern("HH:MM:SS.FFF"),
    ].map { .text($0) }
  private static let names = ["order", "a.b", "say \"x\"", "é", "select", "it's", "row_key", "x y", "%_", "a`b", "?1"]
  private static let tables = ["t1", "T2", "order", "every \"thing\"", "x y", "select", "é", "it's ?", "t3"]

  mutating func make() -> Schema {
    let tables = Self.tables.shuffled(using: &random)
    for number in 0...(1 + random.below(3)) { addTable("e\(number)", table: random.once(in: 2) ? tables[number] : "e\(number)") }
    for place in schema.tables.indices { for _ in 0..<random.below(3) { addToOne(place) } }
    if random.once(in: 2) { addPairs() }
    if random.once(in: 3) { addLoose() }
    for place in schema.tables.indices { addIndexes(place) }
    return schema
  }

  private mutating func addTable(_ name: String, table: String) {
    var attributes: [Attribute] = []
    let key: EntityDescription.Key
    func assigned(_ types: AttributeType...) -> EntityDescription.Key {
      attributes = types.enumerated().map { Attribute("key\($0)", $1, column: "k \($0)") }
      return .assigned(attributes.map(\.name))
    }
    switch random.below(10) {
    case 0, 1, 2:
      attributes = [Attribute("id", .integer)]
      key = .generated("id")
    case 3: key = assigned(.integer)
    case 4: key = assigned(random.pick([.text, .text(.nocase), .text(.rtrim), .text(.padded(12)), .text(.blob)]))
    case 5: key = assigned(random.pick([.text, .text(.nocase)]), .integer)
    case 6: key = assigned(.integer, .date(.unixSeconds))
    case 7: key = assigned(random.once(in: 2) ? .uuid(.blob) : .uuid(.spelled([.capitals])))
    case 8: key = assigned(random.once(in: 3) ? .decimal(.numeric(2)) : .date(random.pick(Self.dates)), .integer)
    default: key = assigned(.uuid(.text), .text)
    }
    // Only by a key of one integer rows are found by their words.
    let isSearched = attributes.map(\.type) == [.integer] && !random.once(in: 3)
    var names = Self.names.shuffled(using: &random)
    for number in 0..<(2 + random.below(5)) {
      let type =
        isSearched && random.once(in: 3)
        ? random.pick([.text, .text, .text(.nocase)]) : random.once(in: 4) ? .date(random.pick(Self.dates)) : random.pick(Self.types)
      let isSmall = type.hasSmallNumbers && random.once(in: 2)
      let name = isSmall ? "\(number) small" : random.once(in: 4) ? names.removeLast() : "a\(number)"
      attributes.append(
        Attribute(
          name, type, column: random.once(in: 4) ? "column \(number)" : name, optional: random.once(in: 2),
          searchable: isSearched && type.isSearchable && !random.once(in: 4)))
    }
    schema.tables.append(Schema.Table(name: name, table: table, key: key, attributes: attributes))
  }

  /// A relationship to a table before this one, or to itself, and mostly the way back.
  private mutating func addToOne(_ place: Int) {
    let target = random.below(place + 1)
    let number = schema.tables[place].links.count
    let isOptional = target == place || !random.once(in: 3)
    let by = keys(of: target, as: "one\(number)", optional: isOptional)
    schema.tables[place].attributes += by
    let rules: [DeleteRule] = isOptional ? [.deny, .cascade, .nullify] : [.deny, .cascade]
    schema.tables[place].links.append(
      Schema.Link(
        name: "one\(number)", kind: .toOne(by: by.map(\.name), onDelete: random.pick(rules)), target: target,
        declared: random.once(in: 2) ? .indexed : .foreignKey))
    if random.once(in: 4) { return }
    schema.tables[target].links.append(Schema.Link(name: manyName(target), kind: .toMany(by: by.map(\.name)), target: place))
  }

  /// Many-to-many, also of a table with itself; pairs may stand twice, or lack a side, where their table has a key of its own.
  private mutating func addPairs() {
    let (left, right) = (random.below(schema.tables.count), random.below(schema.tables.count))
    let hasOwnKey = random.once(in: 2)
    let (by, to) = (keys(of: left, as: "left", optional: hasOwnKey), keys(of: right, as: "right", optional: hasOwnKey))
    let join = schema.tables.count
    schema.tables.append(
      Schema.Table(
        name: "pair", table: "pair", key: hasOwnKey ? .generated("id") : .assigned((by + to).map(\.name)),
        attributes: (hasOwnKey ? [Attribute("id", .integer)] : []) + by + to,
        links: [
          Schema.Link(name: "oneLeft", kind: .toOne(by: by.map(\.name), onDelete: .cascade), target: left),
          Schema.Link(
            name: "oneRight", kind: .toOne(by: to.map(\.name), onDelete: .cascade), target: right,
            declared: random.once(in: 2) ? .indexed : .foreignKey),
        ]))
    schema.tables[left].links.append(
      Schema.Link(name: manyName(left), kind: .manyToMany(by: by.map(\.name), to: to.map(\.name)), target: right, join: join))
    if random.once(in: 2) {
      schema.tables[right].links.append(
        Schema.Link(name: manyName(right), kind: .manyToMany(by: to.map(\.name), to: by.map(\.name)), target: left, join: join))
    }
    if random.once(in: 2) {
      schema.tables[left].links.append(Schema.Link(name: manyName(left), kind: .toMany(by: by.map(\.name)), target: join))
    }
  }

  /// Rows that belong together by equal values that are no keys: null and several on both sides, without an index.
  private mutating func addLoose() {
    let (here, there) = (random.below(schema.tables.count), random.below(schema.tables.count))
    for attribute in schema.tables[here].attributes.shuffled(using: &random)
    where attribute.type != .any && !attribute.type.isSpelledInSeveralWays {
      guard let other = schema.tables[there].attributes.first(where: { $0.type == attribute.type }) else { continue }
      schema.tables[here].links.append(
        Schema.Link(name: manyName(here), kind: .toMany(by: [other.name]), target: there, referenced: [attribute.name]))
      return
    }
  }

  private mutating func addIndexes(_ place: Int) {
    for _ in 0..<random.below(3) {
      let names = schema.tables[place].attributes.map(\.name).shuffled(using: &random).prefix(1 + random.below(2))
      if schema.tables[place].indexes.contains(where: { Set($0.attributes) == Set(names) }) { continue }
      schema.tables[place].indexes.append(
        Index(on: Array(names), descending: names.filter { _ in random.once(in: 3) }, unique: random.once(in: 5)))
    }
  }

  private func manyName(_ place: Int) -> String { "many\(schema.tables[place].links.count)" }

  /// Attributes that hold a key of a table; of several, not all have to be optional.
  private mutating func keys(of target: Int, as name: String, optional: Bool) -> [Attribute] {
    let table = schema.tables[target]
    return table.key.attributes.enumerated().compactMap { number, key in
      table.attributes.first { $0.name == key }.map {
        Attribute("\(name) key\(number)", $0.type, column: "\(name)_\(number)", optional: optional)
      }
    }
  }
}

extension AttributeType {
  fileprivate var isSearchable: Bool { self == .text || self == .text(.nocase) }

  /// Whether sums of some of its values may be too large.
  fileprivate var hasSmallNumbers: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }

  /// Whether values that differ stand for one.
  fileprivate var isSpelledInSeveralWays: Bool {
    switch self {
    case .decimal(.text), .decimal(.numeric), .decimal(.real), .boolText: true
    case .date(.text(let pattern)): pattern.pattern.contains("+")
    default: false
    }
  }
}
