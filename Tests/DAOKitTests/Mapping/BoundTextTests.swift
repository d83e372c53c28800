import CriteriaTesting
import DAOKit
import Foundation
import TestCases
import Testing

/// Texts of all lengths, since a statement has room for 4,096 bytes of those of a row.
@Suite struct BoundTextTests {
  private static let note = EntityDescription(
    "note", key: .generated("id"),
    attributes: [Attribute("id", .integer)] + (0..<4).map { Attribute("t\($0)", .text, optional: true) })

  private static func text(_ random: inout RandomSource) -> Scalar {
    let length = random.pick([0, 1, 15, 16, 100, 1_000, 1_365, 2_048, 4_095, 4_096, 4_097, 10_000])
    return random.once(in: 6) ? .null : .text(String((0..<length).map { _ in random.pick(["a", "b", "c", "0", "\0"]) }))
  }

  @Test(arguments: TestCases.seeds(300, inSuite: 20))
  func eachRowKeepsItsTexts(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let notes = try DAOFactory(store: .inMemory(), describedBy: [Self.note]).runtimeDAO(Self.note)
    var expected: [Int64: DynamicEntity] = [:]
    for _ in 0..<8 {
      var rows: [DynamicEntity] = []
      for _ in 0..<random.below(6) {
        var row = try DynamicEntity(Self.note, [:])
        for number in 0..<4 { row["t\(number)"] = Self.text(&random) }
        rows.append(row)
      }
      // Each statement has texts of its own.
      rows = try notes.insert(rows)
      if let first = expected.values.first, random.once(in: 2) {
        var changed = first
        changed["t1"] = Self.text(&random)
        rows.append(try notes.update(changed))
      }
      for row in rows { if case .integer(let id)? = row["id"] { expected[id] = row } }
    }
    let found = try notes.findAll()
    #expect(found.count == expected.count)
    for row in found { if case .integer(let id)? = row["id"] { #expect(row == expected[id]) } }
  }
}
