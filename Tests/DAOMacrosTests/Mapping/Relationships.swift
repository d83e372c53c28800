import DAOMacros
import DAOMacrosTestEntities
import Foundation

// Relationships as people write them: in a circle, to oneself, to another module's entity, over keys of all kinds.

@Entity
struct Person: Hashable {
  @ID var id: UUID
  var name: String
  @ToOne(onDelete: .nullify) var parent: Reference<Person>?
  @ToMany(\Person.parent, renamedFrom: ["kids"]) var children: Many<Person> = Many()
  @ToOne(onDelete: .deny) @Attribute(.column("country_code"), .renamedFrom("land")) var country: Reference<Country>
  @ToMany(\Membership.person) var memberships: Many<Membership> = Many()
  @ManyToMany(by: \Membership.person, to: \Membership.club, renamedFrom: ["societies", "unions"]) var clubs: Many<Clubs.Club> = Many()
}

@Entity
struct Membership: Hashable {
  @ID @ToOne(onDelete: .cascade) var person: Reference<Person>
  @ID @ToOne(onDelete: .cascade) var club: Reference<Clubs.Club>
  @Attribute(.unixSeconds) var since: Date = Date(timeIntervalSince1970: 0)
  @ToMany(\Fee.person, \Fee.club) var fees: Many<Fee> = Many()
}

/// Of a membership, which has a key of two attributes: it holds them as its own.
@Entity
struct Fee: Hashable {
  @ID var id: Int64?
  var person: UUID
  var club: Int64
  var amount: Decimal
}

enum Clubs {
  @Entity("club")
  struct Club: Hashable {
    @ID var number: Int64
    @ToOne var founder: Reference<Person>?
    @ToMany(\Membership.club) var memberships: Many<Membership> = Many()
    @ManyToMany(by: \Membership.club, to: \Membership.person) var people: Many<Person> = Many()
  }
}

/// A key that is kept in another form than its type alone says.
@Entity
struct Gadget: Hashable {
  @ID @Attribute(.uuidText) var id: UUID
}

@Entity
struct Part: Hashable {
  @ID var id: Int64
  @ToOne @Attribute(.uuidText) var device: Reference<Gadget>
}

@Entity("part")
struct BadPart: Hashable {
  @ID var id: Int64
  @ToOne var device: Reference<Gadget>
}
