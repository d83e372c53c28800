import DAOMacros

@Entity
struct Club {
  @ID var id: Int64?
  var name: String
  @ManyToMany(by: \Membership.club, to: \Membership.member) var members: Many<Member> = Many()
}
