import DAOMacros

final class LivingDAO: DAO<Person>, @unchecked Sendable { override var scope: Filter<Person> { \.born != nil } }
