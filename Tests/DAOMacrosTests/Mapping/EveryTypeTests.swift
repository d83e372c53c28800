import DAOMacros
import Testing

@Suite("An entity by the macro and by hand are one")
struct EveryTypeTests {
  @Test func `their descriptions are equal and sound`() {
    #expect(Required.entityDescription == RequiredByHand.entityDescription)
    #expect(Optionals.entityDescription == OptionalsByHand.entityDescription)
    #expect(Required.entityDescription.problems == [])
    #expect(Optionals.entityDescription.problems == [])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `they read and write the same rows`(_ seed: UInt64) throws {
    var rows = RandomRows(seed: seed)
    try expectEqual(Required.self, RequiredByHand.self, try rows.row(Required.entityDescription))
    try expectEqual(Optionals.self, OptionalsByHand.self, try rows.row(Optionals.entityDescription))
  }

  @Test func `null is nil in every optional`() throws {
    let nulls = Optionals.entityDescription.attributes.map { _ in StoredValue.null }
    try expectEqual(Optionals.self, OptionalsByHand.self, nulls)
    #expect(try Optionals(stored: nulls).properties.allSatisfy { $0.hasSuffix(": nil") })
  }

  @Test func `null is refused in everything else at its column`() throws {
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
