import DAOMacros
import Foundation
import Testing

/// The code of Documentation/newer-seed.md.
@Suite struct NewerSeedArticle: ArticleTest {
  let article = Article("Documentation/newer-seed.md")

  /// Makes a seed of zones.
  private func seed(_ url: URL, version: Int32, _ zones: [Zone]) throws {
    let source = url.appendingPathExtension("source")
    let factory = try DAOFactory(store: .file(source), entities: Zone.self, Country.self)
    try factory.runtimeDAO(Country.self).insert(Country.samples)
    try factory.runtimeDAO(Zone.self).insert(zones)
    try factory.close()
    try SeedPacker(Zone.self, Country.self, version: version).pack(source, to: url)
  }

  @Test func `the code of newer-seed.md runs and prints its output`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("clock.sqlite")
      let firstSeed = folder.appendingPathComponent("seed 1.sqlite")
      let newerSeed = folder.appendingPathComponent("seed 2.sqlite")
      let first = Zone.samples.enumerated().map { number, zone in
        var zone = zone
        zone.id = Int64(number) + 1
        return zone
      }
      try seed(firstSeed, version: 1, first)
      var newer = first.filter { $0.name != "Etc/UTC" }
      newer[0].comment = "Danube"
      newer[1].comment = "Vltava"
      newer[2].standardOffset = 60
      newer.append(Zone(id: 11, name: "Asia/Seoul", standardOffset: 32_400))
      newer.append(Zone(id: 12, name: "Asia/Dili", standardOffset: 32_400))
      try seed(newerSeed, version: 2, newer)

      try firstRelease(url, firstSeed)
      try nextRelease(url, newerSeed)
      try article.expectSQLAndOutput()
    }
  }

  private func firstRelease(_ url: URL, _ seed: URL) throws {
    let store = StoreDescription.file(url, seed: .file(seed), policy: .upgrade(conflicts: .byColumn))
    let factory = try DAOFactory(store: store, entities: Zone.self, Country.self)
    let zones = factory.runtimeDAO(Zone.self)
    try zones.update(.where { $0.name == "Europe/Prague" }, set: .set(\.comment, to: "my home"))
    try zones.update(.where { $0.name == "Asia/Tokyo" }, set: .set(\.comment, to: "my work"))
    try zones.delete(.where { $0.name == "Asia/Kolkata" })
    try zones.insert(Zone(name: "Asia/Dili", standardOffset: 32_400))
    try factory.close()
  }

  private func nextRelease(_ url: URL, _ seed: URL) throws {
    let bootstrapper = StoreBootstrapper(seed: .file(seed), entities: [Zone.entityDescription, Country.entityDescription])
    let preview = try bootstrapper.previewUpgrade(of: url, conflicts: .byColumn)
    #expect(preview?.tables.isEmpty == false)

    let store = StoreDescription.file(url, seed: .file(seed), policy: .upgrade(conflicts: .byColumn))
    let factory = try DAOFactory(store: store, entities: Zone.self, Country.self)
    if let report = factory.report { print(report) }

    let zones = factory.runtimeDAO(Zone.self)
    #expect(try zones.findFirst(.where { $0.name == "Europe/Prague" })?.comment == "my home")
    #expect(try zones.findFirst(.where { $0.name == "Europe/London" })?.standardOffset == 60)
    #expect(try !zones.exists(.where { $0.name == "Asia/Kolkata" }) && !zones.exists(.where { $0.name == "Etc/UTC" }))

    if case .upgraded(let report)? = factory.report?.outcome {
      for table in report.tables where !table.conflicts.isEmpty {
        print("\(table.name): \(table.conflicts.map { "\($0.conflict.cause)" })")
      }
    }

    let policy = SeedPolicy.upgrade(
      conflicts: .decide { conflict in
        conflict.table == "country" ? .seed : .mine
      })
    let decided = StoreDescription.file(url, seed: .file(seed), policy: policy)
    try factory.close()
    #expect(try DAOFactory(store: decided, entities: Zone.self, Country.self).runtimeDAO(Zone.self).count() == 10)
  }
}
