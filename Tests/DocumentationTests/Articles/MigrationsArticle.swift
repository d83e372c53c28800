import DAOMacros
import Foundation
import Testing

/// The code of Documentation/migrations.md.
@Suite struct MigrationsArticle: ArticleTest {
  let article = Article("Documentation/migrations.md")

  enum Version1 {
    @Entity
    struct Zone {
      @ID var id: Int64?
      var name: String
      var region: String
      var elevation: Int?
      var legacyCode: String?
      var remark: String?
    }
  }

  enum Version2 {
    @Entity
    struct Zone {
      @ID var id: Int64?
      @Attribute(.unique) var name: String
      var region: String
      var elevation: String?
      var population: Int
      @Attribute(.renamedFrom("remark")) var comment: String?
    }
  }

  enum Unversioned {
    @Entity
    struct Place {
      @ID var id: Int64?
      var name: String
    }
  }

  enum Versioned {
    @Entity
    struct Place {
      @ID var id: Int64?
      var name: String
      @Attribute(.version) var version: Int = 0  // ALTER TABLE "place" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0
    }
  }

  enum WithoutDefault {
    @Entity
    struct Place {
      @ID var id: Int64?
      var name: String
      @Attribute(.version) var version: Int
    }
  }

  enum Version3 {
    @Entity
    struct Zone {
      @ID var id: Int64?
      @Attribute(.unique) var name: String
      var region: String
      var population: Int
    }
  }

  @Test func `the code of migrations.md runs and prints its output`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("clock.sqlite")
      let old = try DAOFactory(store: .file(url, version: 1), entities: Version1.Zone.self)
      try old.runtimeDAO(Version1.Zone.self).insert([
        Version1.Zone(name: "Prague", region: "Europe", elevation: 200, legacyCode: "CET", remark: "on the Vltava"),
        Version1.Zone(name: "Tokyo", region: "Asia", elevation: nil),
      ])
      try old.close()
      try automatic(url)
      try hinted(url)
      try article.expectSQLAndOutput()
    }
  }

  private func automatic(_ url: URL) throws {
    do {
      _ = try DAOFactory(store: .file(url, version: 2, migration: .automatic), entities: Version2.Zone.self)
    } catch {
      print(error)
    }
  }

  private func hinted(_ url: URL) throws {
    typealias Zone = Version2.Zone

    let store = StoreDescription.file(
      url, version: 2,
      migration: Migration(
        .fill(Zone.self, \.population, with: 0),  // required now: the value for rows that have none
        .convert(Zone.self, \.elevation) { $0.isNull ? nil : "\($0) m" },  // another type: the new form of each value
        .drop("zone", "legacyCode"),  // nothing is dropped unless a hint says so
        steps: [.between(2, "one name") { store in _ = try store.execute("UPDATE zone SET name = region || '/' || name") }]))

    if try store.requiresMigration(Zone.self), let report = try store.rehearseMigration(Zone.self) {
      print(report)  // made on a copy: the store stays as it is
    }

    let factory = try DAOFactory(store: store, entities: Zone.self)
    if let report = factory.report?.migration { print(report) }

    #expect(
      try factory.runtimeDAO(Zone.self).findAll(.all.order(by: \.id)).map { [$0.name, $0.elevation ?? "-", $0.comment ?? "-"] } == [
        ["Europe/Prague", "200 m", "on the Vltava"], ["Asia/Tokyo", "-", "-"],
      ])
    #expect(try !store.requiresMigration(Zone.self))

    // Columns that no attribute has stay where they may be null.
    try factory.close()
    let reduced = try DAOFactory(store: .file(url, version: 3, migration: .automatic), entities: Version3.Zone.self)
    let comments = try reduced.runtimeDAO(Version3.Zone.self).query("SELECT comment FROM zone ORDER BY id") { row in
      try row.next(String?.self)
    }
    #expect(comments == ["on the Vltava", nil])
  }

  @Test func `a version that an older store lacks needs a default`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("places.sqlite")
      let old = try DAOFactory(store: .file(url), entities: Unversioned.Place.self)
      try old.runtimeDAO(Unversioned.Place.self).insert(Unversioned.Place(name: "Prague"))
      try old.close()
      do {
        _ = try DAOFactory(store: .file(url, migration: .automatic), entities: WithoutDefault.Place.self)
        Issue.record("the store was migrated")
      } catch { #expect("\(error)".contains("place.version: the attribute needs a value, and 1 rows have none"), "\(error)") }
      let places = try DAOFactory(store: .file(url, migration: .automatic), entities: Versioned.Place.self).runtimeDAO(Versioned.Place.self)
      #expect(try places.findAll().map(\.version) == [0])
      #expect(try places.update(places.find(1)).version == 1)
    }
  }
}
