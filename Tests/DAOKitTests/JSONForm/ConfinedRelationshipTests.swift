import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// The rows that untrusted criteria reach in a store over relationships.
@Suite("Rows that untrusted criteria reach")
struct ConfinedRelationshipTests {
  /// Sees the zones with a comment.
  private final class Commented: DAO<Clock.Zone>, @unchecked Sendable {
    override var scope: Filter<Clock.Zone> { \.comment != nil }
  }

  private let zones: Commented

  init() throws {
    let store = try TestStore(Clock.entities)
    try store.factory.runtimeDAO(Clock.Country.self).insert([.init("SK", "Slovakia"), .init("AT", "Austria")])
    let samples: [Clock.Zone] = [
      .init("Bratislava", 3600, 48, "x", in: "SK"), .init("hidden", 9999, 1, in: "SK"), .init("Wien", 3600, 48, "x", in: "AT"),
    ]
    try store.factory.runtimeDAO(Clock.Zone.self).insert(samples)
    zones = store.factory.dao(Commented.init)
  }

  /// All of the form, where zones lead only to visible ones.
  private var confined: CriteriaDecoder.AllowList {
    var list = CriteriaDecoder.AllowList.everything
    list.visible["zone"] = zones.target.scope
    return list
  }

  private let spying = json(filter: #"{"some":"country.zones","where":{"compare":"name","is":"==","to":{"value":"hidden"}}}"#)

  @Test func `a scope does not reach over them; a condition of the list does`() throws {
    #expect(try zones.findAll().map(\.name) == ["Bratislava", "Wien"])
    #expect(try zones.findAll(decoded(spying, allowing: .everything)).map(\.name) == ["Bratislava"])
    #expect(try zones.findAll(decoded(spying, allowing: confined)).isEmpty)
    let seen = spying.replacingOccurrences(of: "hidden", with: "Wien")
    #expect(try zones.findAll(decoded(seen, allowing: confined)).map(\.name) == ["Wien"])
  }

  @Test func `pairs between two entities that are not all to be seen lead nowhere`() throws {
    let entities = [Nation.entityDescription, Lake.entityDescription, NationLake.entityDescription]
    let pairs = NationLake.entityDescription.name
    var list = CriteriaDecoder.AllowList.everything
    list.visible[pairs] = .constant(false)
    for filter in [#"{"some":"lakes"}"#, #"{"compare":{"count":"*","over":"lakes"},"is":"==","to":{"value":0}}"#] {
      let text = #"{"version":1,"entity":"nation","filter":\#(filter)}"#
      let found = problems { _ = try CriteriaDecoder(allowing: list).decode(Data(text.utf8), of: entities) }
      #expect(found.count == 1 && found[0].contains("speaks of all rows of \(pairs)"), "\(found)")
      #expect(problems { _ = try CriteriaDecoder(allowing: .everything).decode(Data(text.utf8), of: entities) }.isEmpty)
    }
  }
}
