import DAOMacros

final class PersonDAO: DAO<Person>, @unchecked Sendable {}
