import DAODifferential
import DAOKit
import Foundation

/// Entities with every kind of relationship: to-one, required and optional, over natural, generated and composite keys; to-many;
/// many-to-many; and to itself.
enum Library {
  static let region = EntityDescription(
    "region", key: .assigned(["land", "number"]),
    attributes: [Attribute("land", .text), Attribute("number", .integer), Attribute("name", .text, optional: true)],
    relationships: [.toMany("authors", author, by: "land", "regionNumber")])

  static let author: EntityDescription = EntityDescription(
    "author", table: "the \"author\"", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, column: "full name"), Attribute("rank", .integer, optional: true),
      Attribute("land", .text, optional: true), Attribute("regionNumber", .integer, column: "region_number", optional: true),
      Attribute("mentorID", .integer, column: "mentor_id", optional: true),
    ],
    relationships: [
      .toOne("region", region, by: "land", "regionNumber", onDelete: .nullify),
      .toOne("mentor", author, by: "mentorID", onDelete: .nullify),
      .toMany("pupils", author, by: "mentorID"),
      .toMany("books", book, by: "authorID"),
    ])

  static let book: EntityDescription = EntityDescription(
    "book", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("rank", .integer, optional: true),
      Attribute("price", .decimal(.text), optional: true), Attribute("authorID", .integer, column: "author_id"),
    ],
    relationships: [
      .toOne("author", author, by: "authorID", onDelete: .cascade),
      .manyToMany("tags", tag, through: bookTag, by: "bookID", to: "tagCode"),
      .toMany("pairs", bookTag, by: "bookID"),
    ])

  static let tag: EntityDescription = EntityDescription(
    "tag", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("rank", .integer, optional: true)],
    relationships: [.manyToMany("books", book, through: bookTag, by: "tagCode", to: "bookID")])

  static let bookTag: EntityDescription = EntityDescription(
    "bookTag", key: .assigned(["bookID", "tagCode"]),
    attributes: [Attribute("bookID", .integer, column: "book_id"), Attribute("tagCode", .text, column: "tag_code")],
    relationships: [
      .toOne("book", book, by: "bookID", onDelete: .cascade), .toOne("tag", tag, by: "tagCode", onDelete: .cascade),
    ])

  static let entities = [region, author, book, tag, bookTag]

  static let names = ["", "a", "A", "b", "Jan", "1", "NULL", "ä"]

  /// Rows of all entities, in an order in which foreign keys hold.
  static func rows(_ count: Int, _ random: inout RandomSource) -> [(EntityDescription, [String: Scalar])] {
    var rows: [(EntityDescription, [String: Scalar])] = []
    let regions = count == 0 ? [] : (0..<3).map { number in (Scalar.text(["s", "t"][number % 2]), Scalar.integer(Int64(number))) }
    for (land, number) in regions {
      rows.append((region, ["land": land, "number": number, "name": random.once(in: 3) ? .null : .text(random.pick(names))]))
    }
    for id in 0..<count {
      let home = random.once(in: 3) || regions.isEmpty ? nil : random.pick(regions)
      rows.append(
        (
          author,
          [
            "id": .integer(Int64(id + 1)), "name": .text(random.pick(names)), "rank": rank(&random),
            "land": home?.0 ?? (random.once(in: 2) ? .null : "s"), "regionNumber": home?.1 ?? .null,
            "mentorID": id == 0 || random.once(in: 2) ? .null : .integer(Int64(1 + random.below(id))),
          ]
        ))
    }
    for code in ["x", "y", "z"].prefix(count) { rows.append((tag, ["code": .text(code), "rank": rank(&random)])) }
    for id in 0..<(count == 0 ? 0 : 2 * count) {
      rows.append(
        (
          book,
          [
            "id": .integer(Int64(id + 1)), "name": .text(random.pick(names)), "rank": rank(&random),
            "price": random.once(in: 3) ? .null : .decimal(Decimal(random.below(40)) / 10),
            "authorID": .integer(Int64(1 + random.below(count))),
          ]
        ))
      for code in ["x", "y", "z"].prefix(count) where random.once(in: 3) {
        rows.append((bookTag, ["bookID": .integer(Int64(id + 1)), "tagCode": .text(code)]))
      }
    }
    return rows
  }

  private static func rank(_ random: inout RandomSource) -> Scalar { random.once(in: 4) ? .null : .integer(Int64(random.below(4))) }

  static func fill(_ store: some EntityStore, _ rows: [(EntityDescription, [String: Scalar])]) throws {
    for (entity, values) in rows { _ = try store.insert([try DynamicEntity(entity, values)], in: EntityTarget(entity)) }
  }
}

/// Criteria that go through the library's relationships.
struct RandomRelated {
  var random: RandomSource

  mutating func criteria(of entity: EntityDescription) -> Criteria {
    var criteria = Criteria()
    criteria.filter = condition(of: entity, hops: 0)
    if random.once(in: 4) { criteria.scope = condition(of: entity, hops: 2) }
    if random.once(in: 2) {
      criteria.orders = (0...random.below(2)).map { _ in order(term(of: entity, 0).0) }
      criteria.orders += entity.key.attributes.map { order(.field(FieldPath($0))) }
    }
    if random.once(in: 3) {
      criteria.limit = random.pick([0, 1, 3])
      criteria.offset = random.pick([nil, 1])
    }
    return criteria
  }

  mutating func report(of entity: EntityDescription) -> Criteria {
    var criteria = criteria(of: entity)
    criteria.orders = []
    criteria.columns = (0...random.below(2)).map { number in ProjectedColumn(term(of: entity, 0).0).named("\(number)") }
    switch random.below(3) {
    case 0:
      criteria.columns = criteria.columns.map { ProjectedColumn($0.term, isGroup: true, name: $0.name) }
      criteria.columns.append(.aggregate(.count, nil))
      criteria.columns.append(ProjectedColumn.aggregate(.max, term(of: entity, 0).0).named("max"))
    case 1: criteria.isDistinct = true
    default: criteria.orders = entity.key.attributes.map { order(.field(FieldPath($0))) }
    }
    return criteria
  }

  mutating func order(_ term: Term) -> Ordering {
    Ordering(term, random.once(in: 2) ? .ascending : .descending, nulls: random.pick([nil, .first, .last]))
  }

  mutating func condition(of entity: EntityDescription, hops: Int, depth: Int = 0) -> Condition {
    switch random.below(depth > 3 ? 3 : 8) {
    case 0, 1, 2: return leaf(of: entity, hops)
    case 3: return .all((0..<random.below(3)).map { _ in condition(of: entity, hops: hops, depth: depth + 1) })
    case 4: return .any((0..<random.below(3)).map { _ in condition(of: entity, hops: hops, depth: depth + 1) })
    case 5: return .not(condition(of: entity, hops: hops, depth: depth + 1))
    default:
      guard hops < 4, let (path, target) = path(from: entity, isToOne: false) else { return leaf(of: entity, hops) }
      let inner: Condition = random.once(in: 5) ? .constant(random.once(in: 2)) : condition(of: target, hops: hops + 1, depth: depth + 1)
      return switch random.below(3) {
      case 0: .some(path, inner)
      case 1: .not(.some(path, .not(inner)))
      default: .not(.some(path, inner))
      }
    }
  }

  private mutating func leaf(of entity: EntityDescription, _ hops: Int) -> Condition {
    var (term, type) = self.term(of: entity, hops)
    if random.once(in: 6), type == .text { term = .function(.lower, [term]) }
    if random.once(in: 8) { term = .function(.coalesce, [term, .value(literal(type))]) }
    switch random.below(type == .text ? 7 : 6) {
    case 0, 1:
      if random.once(in: 3) {
        // The other side of the same entity, or of another.
        for _ in 0..<8 {
          let (other, otherType) = self.term(of: entity, hops)
          if otherType == type { return .compare(term, random.pick(Comparison.allCases), other) }
        }
      }
      return .compare(term, random.pick([.equal, .notEqual]), .value(random.once(in: 3) ? .null : literal(type)))
    case 2: return .compare(.value(literal(type)), random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), term)
    case 3: return .between(term, .value(literal(type)), .value(literal(type)))
    case 4: return .among(term, (0..<random.below(3)).map { _ in random.once(in: 3) ? .null : literal(type) })
    case 5: return .isNull(term)
    default: return .matches(term, random.pick(TextMatch.allCases), .text(random.pick(Library.names)), caseSensitive: random.once(in: 2))
    }
  }

  private mutating func literal(_ type: AttributeType) -> Scalar {
    switch type {
    case .integer: .integer(Int64(random.below(5)))
    case .decimal: .decimal(Decimal(random.below(40)) / 10)
    default: .text(random.pick(Library.names))
    }
  }

  /// An attribute here or over there, or an aggregate over there, and its type.
  mutating func term(of entity: EntityDescription, _ hops: Int) -> (Term, AttributeType) {
    if hops < 4, random.once(in: 5), let (path, target) = path(from: entity, isToOne: false) {
      let filter = random.once(in: 2) ? Condition.constant(true) : condition(of: target, hops: hops + 2, depth: 3)
      if random.once(in: 3) { return (.related(.count, path, nil, filter), .integer) }
      let attribute = random.pick(target.attributes)
      switch random.below(3) {
      case 0: return (.related(.countDistinct, path, .field(FieldPath(attribute.name)), filter), .integer)
      case 1 where attribute.type == .integer || attribute.type == .decimal(.text):
        return (.related(.sum, path, .field(FieldPath(attribute.name)), filter), attribute.type)
      default: return (.related(random.pick([.min, .max]), path, .field(FieldPath(attribute.name)), filter), attribute.type)
      }
    }
    if hops < 4, random.once(in: 2), let (path, target) = path(from: entity, isToOne: true) {
      let attribute = random.pick(target.attributes)
      return (.field(path.appending(attribute.name)), attribute.type)
    }
    let attribute = random.pick(entity.attributes)
    return (.field(FieldPath(attribute.name)), attribute.type)
  }

  private mutating func path(from entity: EntityDescription, isToOne: Bool) -> (FieldPath, EntityDescription)? {
    var (path, entity) = (FieldPath.root, entity)
    for _ in 0...random.below(3) {
      let usable = entity.relationships.filter { !isToOne || !$0.isToMany }
      guard !usable.isEmpty, let next = Optional(random.pick(usable)), let target = next.target else { break }
      path = path.appending(next.name)
      entity = target
    }
    return path == .root ? nil : (path, entity)
  }
}
