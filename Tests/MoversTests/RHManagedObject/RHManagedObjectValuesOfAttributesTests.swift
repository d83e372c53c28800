import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “Values of attributes”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectValuesOfAttributesTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+distinctValuesWithAttribute:predicate:error:`() throws {
    do {
      let cities = try people.distinctValues(of: \.city)
      #expect(cities == ["Brno", "Praha"])
    }
    do {
      let names = try people.distinctValues(of: \.company.name, matching: .where { $0.age > 30 })
      #expect(names == ["Acme", "Beta"])
    }
    do {
      #expect(try Person.distinctValues(of: \.city) == ["Brno", "Praha"])
    }
  }

  @Test func `+attributeTypeWithKey:error:`() throws {
    let type = Person.entityDescription["age"]?.type
    #expect(type == .integer)
  }

  @Test func `+aggregateWithType:key:predicate:defaultValue:error:`() throws {
    let oldest = try people.maximum(of: \.age, matching: .where { $0.city == city }) ?? 0
    #expect(oldest == 35)
  }

  @Test func `-serialize`() throws {
    let record = try people.exported(.where { $0.id == id }, as: .json)
    #expect(String(decoding: record, as: UTF8.self).contains(email))
  }
}
