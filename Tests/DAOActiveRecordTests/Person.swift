import DAOMacros

@Entity
struct Person: Hashable {
  @ID var id: Int64?
  var firstName: String
  var lastName: String
  @Attribute(.unique) var email: String?
  var age: Int?
  @ToOne(onDelete: .nullify) var city: Reference<City>?
}

@Entity
struct City: Hashable {
  @ID var code: String
  var name: String
}
