import DAOMacros
import Foundation
import Testing
import WorldclockSeed

/// The example's own DAO (ZoneDAO.swift is a link to it) over the shipped data: in SQLite, and in a store without SQL.
@Suite("The example's DAO")
struct ZoneDAOTests {
  let shipped: DAOFactory

  init() throws {
    shipped = try DAOFactory(store: .inMemory(seed: .resource("worldclock.sqlite", in: WorldclockSeed.bundle)))
  }

  enum Store: CaseIterable { case sqlite, evaluator }

  private func zones(in store: Store) throws -> ZoneDAO {
    if store == .sqlite { return shipped.dao(ZoneDAO.init) }
    let factory = try DAOFactory(store: .evaluator, entities: Country.self, Zone.self, ZoneCountry.self, Transition.self)
    func copy<E: Entity>(_ type: E.Type) throws { try factory.runtimeDAO(type).insert(shipped.runtimeDAO(type).findAll()) }
    try copy(Country.self)
    try copy(Zone.self)
    try copy(ZoneCountry.self)
    try copy(Transition.self)
    return factory.dao(ZoneDAO.init)
  }

  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  @Test(arguments: Store.allCases)
  func `finds the zones of a country by name`(_ store: Store) throws {
    let zones = try zones(in: store)
    #expect(try zones.zones(of: "ES").map(\.name) == ["Africa/Ceuta", "Atlantic/Canary", "Europe/Madrid"])
    #expect(try zones.zones(of: "XX").isEmpty)
  }

  @Test(arguments: Store.allCases)
  func `knows what clocks show, and when they change next, to the second`(_ store: Store) throws {
    let zones = try zones(in: store)
    let prague = try #require(try zones.zones(of: "SK").first)
    let change = try date("2026-03-29T01:00:00Z")
    let before = try zones.clock(of: prague, at: change.addingTimeInterval(-1))
    #expect(before.offset == 3600 && before.next?.instant == change && before.next?.offsetAfter == 7200)
    let after = try zones.clock(of: prague, at: change)
    let autumn = try date("2026-10-25T01:00:00Z")
    #expect(after.offset == 7200 && after.next?.instant == autumn)
    let last = try zones.clock(of: prague, at: try date("2037-12-31T00:00:00Z"))
    #expect(last.offset == 3600 && last.next?.instant == nil)
    let first = try zones.clock(of: prague, at: try date("1960-01-01T00:00:00Z"))
    #expect(first.offset == first.next?.offsetBefore)
  }

  @Test func `the report over the view counts and ranges by country`() throws {
    let rows = try shipped.runtimeDAO(CountryZone.self).project(
      .group(by: \.country), .count, .min(\.standardOffset), .max(\.standardOffset),
      matching: SearchCriteria().order(by: .descending(.count), .ascending(\.country)).limit(2))
    #expect(rows.map(\.0) == ["United States", "Russia"] && rows.map(\.1) == [29, 27])
    #expect(rows.map(\.2) == [-36_000, 7200] && rows.map(\.3) == [-18_000, 43_200])
  }
}
