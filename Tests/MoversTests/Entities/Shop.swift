import DAOImport
import DAOMacros

/// A row that a feed can name by its key alone.
@Entity
struct Shop {
  @ID var code: String
  var name: String?
  @ToMany(\Parcel.shop, mapping: RelationshipMapping(many: .replace)) var parcels: Many<Parcel> = Many()
}
