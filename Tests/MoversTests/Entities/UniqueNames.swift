import DAOMacros

/// An entity with an index that allows each pair of values once.
enum UniqueNames {
  @Entity(indexes: [Index(on: "lastName", "firstName", unique: true)])
  struct Name {
    @ID var id: Int64?
    var lastName: String
    var firstName: String
  }
}
