import DAODifferential
import DAOKit
import Foundation
import TestCases

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
