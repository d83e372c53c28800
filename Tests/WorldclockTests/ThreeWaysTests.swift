import DAOKit
import Foundation
import Testing
import WorldclockSeed

/// The whole shipped database, read by the example's entities (Entities.swift is a link to them), read by the macro's entities, by entities
/// written by hand, by entities without a type, and as SQLite has it.
@Suite("By @Entity, by hand and dynamic")
struct ThreeWaysTests {
  let factory: DAOFactory

  init() throws {
    factory = try DAOFactory(
      store: .inMemory(seed: .resource("worldclock.sqlite", in: WorldclockSeed.bundle)),
      entities: Country.self, Zone.self, ZoneCountry.self, Transition.self, Note.self, CountryZone.self)
    let zone = try #require(try factory.runtimeDAO(Zone.self).findFirst())
    try factory.runtimeDAO(Note.self).insert(
      (0..<100).map {
        Note(id: UUID(), zone: Reference(zone.id ?? 0), text: "note \($0)", created: Date(timeIntervalSince1970: Double($0) / 3))
      })
  }

  /// What an entity writes, which is what the store keeps.
  private func stored(_ entities: [some Entity], _ entity: EntityDescription) throws -> Set<[StoredValue]> {
    Set(
      try entities.map { instance in
        var row = ColumnWriter(collecting: entity.attributes.map(\.type))
        try instance.write(to: &row)
        return row.values
      })
  }

  private func compare<Macro: Entity, Hand: Entity>(_ macro: Macro.Type, _ hand: Hand.Type, rows expected: Int) throws {
    let entity = Macro.entityDescription
    #expect(entity == Hand.entityDescription)
    let byMacro = try stored(factory.runtimeDAO(macro).findAll(), entity)
    let byHand = try stored(factory.runtimeDAO(hand).findAll(), entity)
    let dynamic = try factory.runtimeDAO(entity.table)
    #expect(dynamic.entity.attributes.map(\.type) == entity.attributes.map(\.type))
    let untyped = try stored(dynamic.findAll(), dynamic.entity)
    let columns = entity.attributes.map { "\"\($0.column)\"" }.joined(separator: ", ")
    let raw = Set(
      try factory.runtimeDAO(macro).query("SELECT \(SQL(stringLiteral: columns)) FROM \(identifier: entity.table)") { row in
        try entity.attributes.map { _ in try row.takeStored() }
      })
    #expect(raw.count == expected)
    #expect(byMacro == raw)
    #expect(byHand == raw)
    #expect(untyped == raw)
  }

  @Test func `read the same countries`() throws { try compare(Country.self, HandCountry.self, rows: 249) }

  @Test func `read the same zones`() throws { try compare(Zone.self, HandZone.self, rows: 312) }

  @Test func `read the same pairs of zone and country`() throws { try compare(ZoneCountry.self, HandZoneCountry.self, rows: 423) }

  @Test func `read the same offset changes`() throws { try compare(Transition.self, HandTransition.self, rows: 17_832) }

  @Test func `read the same notes`() throws { try compare(Note.self, HandNote.self, rows: 100) }

  @Test func `read the same view`() throws { try compare(CountryZone.self, HandCountryZone.self, rows: 423) }
}
