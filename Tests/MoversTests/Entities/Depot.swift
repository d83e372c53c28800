import DAOImport
import DAOMacros

/// A row that a feed names by its code, while other rows hold the key that the store generated.
@Entity
struct Depot {
  @ID var id: Int64?
  @Attribute(.unique, .identity) var code: String
  var name: String?
  @ToMany(\Parcel.depot, mapping: .excluded) var parcels: Many<Parcel> = Many()
}
