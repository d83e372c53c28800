import DAOMacros

/// A person with values that are kept as JSON, and with rows on the other side of relationships.
@Entity
struct Member {
  @ID var id: Int64?
  var name: String
  var age: Int = 0
  var address: Address
  var tags: [String] = []
  var scores: [String: Int] = [:]
  @Transient var isSelected: Bool = false
  @ManyToMany(by: \Membership.member, to: \Membership.club) var clubs: Many<Club> = Many()
  @ToMany(\Passport.member) var passports: Many<Passport> = Many()
}
