import DAOImport
import DAOMacros
import Foundation

/// A row with a value of each type that feeds have, and relationships of each kind.
@Entity
struct Parcel {
  @ID @Attribute(.mapped(.excluded)) var id: Int64?
  @Attribute(.unique, .identity) var number: Int?
  @Attribute(.mapped("title_text")) var title: String?
  @Attribute(.mapped(AttributeMapping("weight", absent: .useDefault))) var weight: Int = 5
  var pieces: Int = 1
  var sent: Date?
  @Attribute(.mapped(AttributeMapping("paid", dates: [.pattern("dd.MM.yyyy"), .unixMilliseconds]))) var paid: Date?
  var price: Decimal?
  var length: Double?
  var isFragile: Bool?
  var label: Data?
  var note: String?
  @Attribute(.mapped(["sender.name.last", "sender_name"])) var sender: String?
  @Attribute(.mapped("stamps.0.place")) var place: String?
  @ToOne(onDelete: .nullify, mapping: ["shop", "order.shop"]) var shop: Reference<Shop>?
  @ToOne(onDelete: .nullify, mapping: "route.depot") var depot: Reference<Depot>?
  @ManyToMany(by: \ParcelTag.parcel, to: \ParcelTag.tag) var tags: Many<Tag> = Many()
}
