import DAOMacros
import DAOPacking
import Foundation
import Testing

/// The code of Documentation/shipping-a-database.md.
@Suite struct ShippingArticle: ArticleTest {
  let article = Article("Documentation/shipping-a-database.md")

  @Test func `the code of shipping-a-database.md runs and prints its output`() async throws {
    try await withFolder { folder in
      try packing(folder)
      try opening(folder)
      try kinds(folder)
      try instances(folder)
      try suspending(folder)
      try await backups(folder)
      try article.expectSQLAndOutput()
    }
  }

  private func packing(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder.appendingPathComponent("Resources"), withIntermediateDirectories: true)
    let countries = folder.appendingPathComponent("countries.csv")
    let zones = folder.appendingPathComponent("zones.json")
    try Data(("code,name\n" + Country.samples.map { "\($0.code),\($0.name)\n" }.joined()).utf8).write(to: countries)
    let rows = Zone.samples.enumerated().map { number, zone in
      let comment = zone.comment.map { "\"\($0)\"" } ?? "null"
      let country = (zone.country?.key).map { "\"\($0)\"" } ?? "null"
      return #"{"id": \#(number + 1), "name": "\#(zone.name)", "standardOffset": \#(zone.standardOffset), "#
        + #""comment": \#(comment), "country": \#(country)}"#
    }
    try Data("[\(rows.joined(separator: ",\n"))]".utf8).write(to: zones)

    let source = try DAOFactory(store: .file(folder.appendingPathComponent("zones.sqlite")), entities: Zone.self, Country.self)
    try source.runtimeDAO(Country.self).insert(Country.samples)

    let packer = SeedPacker(Zone.self, Country.self, applicationID: 0x5743_4C4B, version: 1)
    let seed = folder.appendingPathComponent("Resources/clock.sqlite")
    try packer.pack(folder.appendingPathComponent("zones.sqlite"), to: seed)
    let manifest = try packer.pack([.csv(countries, of: Country.self), .json(zones, of: Zone.self)], to: seed)

    try source.close()
    #expect(manifest.rowCounts == ["country": 7, "zone": 10])
    // The seed among this target's resources is of this form.
    let shipped = try SeedManifest(of: try #require(Bundle.module.url(forResource: "clock", withExtension: "sqlite")))
    #expect(shipped.schema == manifest.schema && shipped.rowCounts == manifest.rowCounts)

    let broken = folder.appendingPathComponent("broken.json")
    try Data(#"[{"name": "Asia/Tokyo", "standardOffset": "nine hours", "country": "XX"}, {"standardOffset": 0, "note": 1}]"#.utf8)
      .write(to: broken)
    do {
      _ = try packer.pack([.json(broken, of: Zone.self)], to: folder.appendingPathComponent("Resources/other.sqlite"))
    } catch {
      print(error)
    }
  }

  private func opening(_ folder: URL) throws {
    let url = folder.appendingPathComponent("clock.sqlite")

    let factory = try DAOFactory(
      store: .file(url, seed: .resource("clock.sqlite", in: .module, requiresManifest: true), applicationID: 0x5743_4C4B, version: 1),
      entities: Zone.self, Country.self)
    if let report = factory.report { print(report) }

    try factory.close()
    let again = try DAOFactory(
      store: .file(url, seed: .resource("clock.sqlite", in: .module)), entities: Zone.self, Country.self)
    if let report = again.report { print(report) }
  }

  private func kinds(_ folder: URL) throws {
    let url = folder.appendingPathComponent("kinds.sqlite")
    let seed = SeedSource.resource("clock.sqlite", in: .module)

    let copied = StoreDescription.file(url, seed: seed)  // the user's own, made at first launch
    let replaced = StoreDescription.file(url, seed: seed, policy: .replace)  // replaced whenever the app ships another seed
    let empty = StoreDescription.named("notes")  // notes.sqlite in the app's own folder, made from the entities
    let memory = StoreDescription.inMemory(seed: seed)  // for tests and previews
    let shipped = StoreDescription.inPlace(seed)  // read-only, where it lies

    _ = empty
    for store in [copied, replaced, memory, shipped] {
      let factory = try DAOFactory(store: store, entities: Zone.self, Country.self)
      #expect(try factory.runtimeDAO(Zone.self).count() == 10)
      try factory.close()
    }
  }

  private func instances(_ folder: URL) throws {
    let url = folder.appendingPathComponent("instance.sqlite")
    let factory = try DAOFactory(store: .file(url, seed: .resource("clock.sqlite", in: .module)), entities: Zone.self, Country.self)
    let zones = factory.runtimeDAO(Zone.self)

    try factory.resetToSeed()  // made from the seed again; the old store stays until the new one is complete
    let freed = try factory.compact().freed  // VACUUM; the number of bytes freed
    try factory.close()  // calls throw DAOError.closed from now on, and open streams end
    try factory.reopen()  // the same factory and DAOs go on
    try factory.destroy()  // removes the file and everything that belongs to it

    #expect(freed >= 0 && !FileManager.default.fileExists(atPath: url.path))
    do {
      _ = try zones.count()
      Issue.record("the store is open")
    } catch DAOError.closed {}
  }

  private func suspending(_ folder: URL) throws {
    let suspension = Suspension()
    let store = StoreDescription.file(folder.appendingPathComponent("notes.sqlite")).following(suspension)
    let factory = try DAOFactory(store: store, entities: Zone.self, Country.self)
    try suspension.suspend()  // ends what runs, rolls it back and releases every lock
    do {
      _ = try factory.runtimeDAO(Zone.self).count()
    } catch {
      print(error)
    }
    suspension.resume()

    #expect(try factory.runtimeDAO(Zone.self).count() == 0)
  }

  private func backups(_ folder: URL) async throws {
    let url = folder.appendingPathComponent("clock.sqlite")
    let factory = try DAOFactory(store: .file(url), entities: Zone.self, Country.self)
    let copy = folder.appendingPathComponent("backup.sqlite")

    try await factory.backUp(to: copy) { copied, total in
      print("\(copied) of \(total) bytes")
    }

    let count = try await DAOFactory(store: .file(copy), entities: Zone.self, Country.self).runtimeDAO(Zone.self).count()
    #expect(count == 10)
  }

  /// A store that does not fit is put aside in debug builds.
  @Test func `a store that does not fit is erased and kept`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("notes.sqlite")
      let old = EntityDescription("zone", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text)])
      try DAOFactory(store: .file(url), describedBy: [old]).close()

      let factory = try DAOFactory(store: .file(url, mismatch: .erase), entities: Zone.self, Country.self)
      let erased = factory.report?.erased  // where the old store is kept
      try factory.report?.removeErased()

      #expect(erased?.count == 1)
    }
  }
}
