import DAOMacros

/// An entity with a name that is not its type's.
@Entity("staff")
struct Employee {
  @ID var id: Int64?
  var name: String
}
