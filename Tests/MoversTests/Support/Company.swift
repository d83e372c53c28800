import DAOMacros

@Entity
struct Company {
  @ID var id: Int64?
  @Attribute(.unique) var name: String
  @ToMany(\Person.company) var people: Many<Person> = Many()
}

extension Company {
  /// The stored companies, whose keys are 1 to 3. Nobody works for the last one.
  static let samples = [Company(name: "Acme"), Company(name: "Beta"), Company(name: "Solo")]
}
