import DAOMacros

@Entity
struct City {
  @ID var id: Int64?
  @Attribute(.unique) var name: String
  var people: Int = 0
}
