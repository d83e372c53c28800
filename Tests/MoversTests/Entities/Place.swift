import DAOMacros

@Entity(
  source: .view(definition: "SELECT city AS name, count(*) AS people FROM person WHERE city IS NOT NULL GROUP BY city"))
struct Place {
  @ID var name: String
  var people: Int
}
