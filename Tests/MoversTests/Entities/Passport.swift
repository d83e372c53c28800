import DAOMacros

@Entity
struct Passport {
  @ID var number: String
  @ToOne(onDelete: .cascade) var member: Reference<Member>
}
