import DAOMacros

final class CheckedDAO: DAO<Person>, @unchecked Sendable {
  override func insert(_ entities: [Person]) throws -> [Person] {
    guard entities.allSatisfy({ $0.age >= 0 }) else {
      throw DAOError.invalidValue(entity: "person", attribute: "age", problem: "is negative")
    }
    return try super.insert(entities)
  }
}
