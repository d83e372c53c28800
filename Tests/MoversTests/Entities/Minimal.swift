import DAOMacros

/// The entities of the tables that have few attributes.
enum Minimal {
  @Entity
  struct Person {
    @ID var id: Int64?
    var lastName: String
  }
}
