import DAOMacros

final class TidyDAO: DAO<Person>, @unchecked Sendable {
  override func insert(_ entities: [Person]) throws -> [Person] { try super.insert(entities) }
}
