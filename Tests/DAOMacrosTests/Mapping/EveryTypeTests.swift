import DAOMacros
import Testing

@Suite("An entity by the macro and by hand are one")
struct EveryTypeTests {
  @Test func theirDescriptionsAreEqualAndSound() {
    #expect(Required.entityDescription == RequiredByHand.entityDescription)
    #expect(Optionals.entityDescription == OptionalsByHand.entityDescription)
    #expect(Required.entityDescription.problems == [])
    #expect(Optionals.entityDescription.problems == [])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func theyReadAndWriteTheSameRows(_ seed: UInt64) throws {
    var rows = RandomRows(seed: seed)
    try expectEqual(Required.self, RequiredByHand.self, try rows.row(Required.entityDescription))
    try expectEqual(Optionals.self, OptionalsByHand.self, try rows.row(Optionals.entityDescription))
  }

  @Test func nullIsNilInEveryOptional() throws {
    let nulls = Optionals.entityDescription.attributes.map { _ in StoredValue.null }
    try expectEqual(Optionals.self, OptionalsByHand.self, nulls)
    #expect(try Optionals(stored: nulls).properties.allSatisfy { $0.hasSuffix(": nil") })
  }

  @Test func nullIsRefusedInEverythingElseAtItsColumn() throws {
    var rows = RandomRows(seed: 1)
    let row = try rows.row(Required.entityDescription)
    for position in row.indices.dropFirst() {
      var broken = row
      broken[position] = .null
      let problem = #expect(throws: RowProblem.self) { try Required(stored: broken) }
      #expect(problem?.column == position)
    }
  }

  private func expectEqual<Written: Entity, ByHand: Entity>(_: Written.Type, _: ByHand.Type, _ row: [StoredValue]) throws {
    let written = try Written(stored: row)
    let byHand = try ByHand(stored: row)
    #expect(written.properties == byHand.properties)
    #expect(try written.stored == row)
    #expect(try byHand.stored == row)
  }
}
