import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “Associations”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBAssociationsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `including(required:)`() throws {
    let found = try people.findAll(criteria.prefetch(\.company))
    print(try found.first?.company?.get().name ?? "")
    #expect(printed == ["Beta"])
  }

  @Test func `including(all:)`() throws {
    let found = try companies.findAll(.all.prefetch(\.people, order: .ascending(\.lastName)))
    #expect(try found.first?.people.get().map(\.lastName) == ["Lee", "Novák"])
  }

  @Test func `annotated(withRequired:)`() throws {
    let rows = try people.project(.field(\.lastName), .field(\.company.name))
    #expect(rows.count == 5)
  }

  @Test func `annotated(with: people.count)`() throws {
    let rows = try companies.project(.field(\.name), .count(\.people), .max(\.people, \.age))
    #expect(rows.map { $0.1 } == [2, 2, 0])
  }

  @Test func `having(people.count > 2)`() throws {
    let large = try companies.findAll(.where { $0.people.count() > 2 })
    #expect(large.isEmpty)
  }

  @Test func `request(for:)`() throws {
    let staff = try people.findAll(.where { $0.company == Reference(id) })
    #expect(keys(staff).sorted() == [1, 2])
  }

  @Test func `forKey(_:)`() throws {
    let found = try companies.findAll(.all.prefetch(\.people, order: .descending(\.age)))
    #expect(try found.first?.people.get().map(\.age) == [31, 25])
  }

  @Test func `.author.name`() throws {
    let found = try people.findAll(.where { $0.company.name == "Acme" }.order(by: \.company.name))
    #expect(keys(found).sorted() == [1, 2])
  }
}
