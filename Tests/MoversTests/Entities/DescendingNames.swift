import DAOMacros

/// An entity with an index in two directions.
enum DescendingNames {
  @Entity(indexes: [Index(on: "lastName", "firstName", descending: ["lastName"])])
  struct Name {
    @ID var id: Int64?
    var lastName: String
    var firstName: String
  }
}
