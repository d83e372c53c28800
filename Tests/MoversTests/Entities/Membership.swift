import DAOMacros

/// The pair of a member and a club.
@Entity
struct Membership {
  @ID var id: Int64?
  @ToOne(onDelete: .cascade) var member: Reference<Member>
  @ToOne(onDelete: .cascade) var club: Reference<Club>
}
