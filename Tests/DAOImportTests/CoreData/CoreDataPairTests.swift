import DAOKit
import Foundation
import GRDB
import Testing

@testable import DAOImport

/// The tables of pairs of sub-entities whose relationships have one name, and positions on both sides.
@Suite struct CoreDataPairTests {
  /// Two sub-entities in one table, which have the relationship `tags` each.
  private static let siblings = """
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Base', 0, 0), (2, 'A', 1, 0), (3, 'B', 1, 0), (4, 'Tag', 0, 0);
    CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2TAGS (Z_2AS INTEGER, Z_4TAGS INTEGER);
    CREATE TABLE Z_3TAGS (Z_3BS INTEGER, Z_4TAGS1 INTEGER);
    INSERT INTO ZBASE VALUES (1, 2, 1, 'a'), (2, 3, 1, 'b');
    INSERT INTO ZTAG VALUES (1, 4, 1, 'x'), (2, 4, 1, 'y');
    INSERT INTO Z_2TAGS VALUES (1, 1);
    INSERT INTO Z_3TAGS VALUES (2, 2);
    """

  @Test func siblingsHaveTablesOfTheirOwn() throws {
    let file = try CoreDataFile(Self.siblings)
    let (one, two) = (
      CoreDataMapping.entity(describedBy: TagEntities.one, from: "A"), CoreDataMapping.entity(describedBy: TagEntities.two, from: "B")
    )
    let tags = CoreDataMapping.entity(describedBy: TagEntities.tag, from: "Tag")
    for (mappings, expected) in [([one], ["a x"]), ([two], ["b y"]), ([one, two], ["a x", "b y"]), ([two, one], ["a x", "b y"])] {
      let factory = try TagEntities.factory()
      let report = try CoreDataStore(file.url).import(into: factory, mappings + [tags])
      #expect(try TagEntities.pairs(factory) == expected)
      #expect(report.leftOut.count == 2 - mappings.count + (2 - mappings.count), "\(report.leftOut)")
    }
  }

  @Test func aSuperEntityTakesTheTablesOfSeveralSubEntitiesWhereTheMappingSaysSo() throws {
    let file = try CoreDataFile(Self.siblings)
    let tags = CoreDataMapping.entity(describedBy: TagEntities.tag, from: "Tag")
    var mapping = ImportMapping<DynamicEntity>()
    let problem =
      "one.tags may be '4tags' of Z_2TAGS, '4tags1' of Z_3TAGS; map it to a side with its number, to a table, or to a list of these"
    #expect(try file.problems(TagEntities.all, [.entity(describedBy: TagEntities.one, from: "Base", mapping), tags]) == [problem])
    mapping[related: "tags"] = ["Z_2TAGS", "4tags1"]
    let factory = try TagEntities.factory()
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: TagEntities.one, from: "Base", mapping), tags])
    #expect(try TagEntities.pairs(factory) == ["a x", "b y"])
  }

  @Test func pairsThatNoMappingTakesAreReported() throws {
    let file = try CoreDataFile(
      Self.siblings,
      """
      DROP TABLE Z_2TAGS; DROP TABLE Z_3TAGS;
      CREATE TABLE Z_1TAGS (Z_1THINGS INTEGER, Z_4TAGS INTEGER);
      INSERT INTO Z_1TAGS VALUES (1, 1), (2, 1), (2, 2);
      """)
    let (a, tags) = (
      CoreDataMapping.entity(describedBy: TagEntities.one, from: "A"), CoreDataMapping.entity(describedBy: TagEntities.tag, from: "Tag")
    )
    let factory = try TagEntities.factory()
    let report = try CoreDataStore(file.url).import(into: factory, [a, .entity(describedBy: TagEntities.bare, from: "B"), tags])
    #expect(try TagEntities.pairs(factory) == ["a x"])
    #expect(report.leftOut == ["Z_1TAGS (2 pairs of B)"])
    // Another relationship takes them, or a mapping does without.
    let other = try TagEntities.factory()
    let whole = try CoreDataStore(file.url).import(into: other, [a, .entity(describedBy: TagEntities.two, from: "B"), tags])
    #expect(try TagEntities.pairs(other) == ["a x", "b x", "b y"])
    #expect(whole.leftOut.isEmpty)
    var without = ImportMapping<DynamicEntity>()
    without[related: "tags"] = .excluded
    let half = try CoreDataStore(file.url).import(
      into: TagEntities.factory(), [a, .entity(describedBy: TagEntities.two, from: "B", without), tags])
    #expect(half.leftOut.isEmpty)
  }

  @Test func bothSidesHavePositions() throws {
    let file = try CoreDataFile(
      Self.siblings,
      """
      DROP TABLE Z_2TAGS; DROP TABLE Z_3TAGS;
      CREATE TABLE Z_2TAGS (Z_2ONES INTEGER, Z_4TAGS INTEGER, Z_FOK_2ONES INTEGER, Z_FOK_4TAGS INTEGER);
      INSERT INTO Z_2TAGS VALUES (1, 1, 1024, 2048), (1, 2, 3072, 1024);
      """)
    func mappings(_ one: String?, _ tag: String?) -> [CoreDataMapping] {
      [
        .entity(describedBy: TagEntities.one, from: "A", orders: one.map { ["tags": $0] } ?? [:]),
        .entity(describedBy: TagEntities.tag, from: "Tag", orders: tag.map { ["ones": $0] } ?? [:]),
      ]
    }
    let factory = try TagEntities.factory()
    for mappings in [mappings("place", "otherPlace"), mappings("place", "otherPlace").reversed()] {
      let own = try TagEntities.factory()
      let report = try CoreDataStore(file.url).import(into: own, mappings)
      #expect(try own.values(TagEntities.oneTag, "tag", "place", "otherPlace") == ["x 2048 1024", "y 1024 3072"])
      #expect(report.leftOut == ["B (1 row)"])
    }
    // Those that nobody asks for are reported.
    let report = try CoreDataStore(file.url).import(into: factory, mappings("place", nil))
    #expect(try factory.values(TagEntities.oneTag, "tag", "place", "otherPlace") == ["x 2048 –", "y 1024 –"])
    #expect(report.leftOut == ["Z_2TAGS.Z_FOK_2ONES", "B (1 row)"])
    #expect(
      try file.problems(TagEntities.all, mappings("place", "place")) == [
        "tag.ones has its positions in 'place', as one.tags has; name another attribute"
      ])
  }

  @Test func positionsAndEntitiesThatNothingReadsAreReported() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let factory = try NoteEntities.factory()
    let mappings: [CoreDataMapping] = [
      .entity(describedBy: NoteEntities.note, from: "CDNote", NoteEntities.noteMapping, data: NoteEntities.data),
      .entity(describedBy: NoteEntities.folder, from: "CDFolder"), .entity(describedBy: NoteEntities.tag, from: "CDTag"),
    ]
    let report = try CoreDataStore(file.url).import(into: factory, mappings)
    #expect(report.leftOut == ["CDNote.z_fok_folder", "Z_2TAGS.Z_FOK_4TAGS"])
    var tags = ImportMapping<DynamicEntity>()
    tags[related: "notes"] = .excluded
    let rest = try CoreDataStore(file.url).import(
      into: NoteEntities.factory(), [.entity(describedBy: NoteEntities.tag, from: "CDTag", tags)])
    #expect(rest.leftOut == ["CDFolder (3 rows)", "CDNote (2 rows)", "CDList (1 row)"])
  }
}
