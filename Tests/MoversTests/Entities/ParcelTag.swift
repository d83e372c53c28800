import DAOMacros

@Entity
struct ParcelTag {
  @ID var id: Int64?
  @ToOne(onDelete: .cascade) var parcel: Reference<Parcel>
  @ToOne(onDelete: .cascade) var tag: Reference<Tag>
}
