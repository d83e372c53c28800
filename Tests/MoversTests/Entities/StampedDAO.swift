import DAOMacros
import Foundation

final class StampedDAO: DAO<Person>, @unchecked Sendable {
  override func insert(_ entities: [Person]) throws -> [Person] {
    try super.insert(
      entities.map {
        var person = $0
        person.born = person.born ?? .now
        return person
      })
  }
}
