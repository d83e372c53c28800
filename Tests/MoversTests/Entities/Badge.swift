import DAOMacros

/// An entity with a value of the app's own type.
@Entity
struct Badge {
  @ID var id: Int64?
  var icon: Icon
}
