import DAOMacros
import Foundation

/// An attribute of each form that the tables name.
@Entity
struct Contact {
  @ID var id: UUID
  @Attribute(.column("last_name")) var lastName: String
  @Attribute(.unixMilliseconds) var born: Date
  @Attribute(.identity) var realmID: String
  var status: Status
  var anything: Scalar
  var salary: Decimal
  @ToOne(onDelete: .cascade) var company: Reference<Company>
}
