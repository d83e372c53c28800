import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-coredata-persistence-framework.md, section “Orders”.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkOrdersTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `ascendingOrder:`() throws {
    let order: Order<Person> = .ascending(\.lastName)
    #expect(keys(try people.findAll(.all.order(by: order))) == [5, 1, 4, 2, 3])
  }

  @Test func `descendingOrder:`() throws {
    let order: Order<Person> = .descending(\.company.name)
    #expect(keys(try people.findAll(.where { $0.company != nil }.order(by: order, .ascending(\.id)))) == [3, 5, 1, 2])
  }

  @Test func `order:property:`() throws {
    let direction = Order<Person>.ascending(.field("lastName")).ordering.direction
    #expect(direction == .ascending)
  }
}
