import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “Searching”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBSearchingTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `FTS5Pattern(matchingAllTokensIn:)`() throws {
    let found = try notes.findAll(.where(.match(.all("ann lee", prefix: true))))
    #expect(found.map(\.text) == ["Ann Lee"])
  }

  @Test func `matching(_:)`() throws {
    let found = try notes.findAll(.where { $0.text.matches(.any("lee novak")) })
    #expect(found.count == 2)
  }

  @Test func `Column.rank`() throws {
    let search = FullTextMatch<Note>("lee")
    let best = try notes.findAll(.where(.match(search)).order(by: .relevance(of: search)).limit(20))
    #expect(best.map(\.text) == ["Ann Lee"])
  }

  @Test func `snippet`() throws {
    let search = FullTextMatch<Note>("lee")
    let marked = try notes.project(.highlight(\.text, search, start: "<b>", end: "</b>"), matching: .where(.match(search)))
    #expect(marked == ["Ann <b>Lee</b>"])
  }
}
