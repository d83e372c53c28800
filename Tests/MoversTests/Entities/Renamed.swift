import DAOMacros

/// An entity whose attribute had another name in an earlier release.
@Entity
struct Renamed {
  @ID var id: Int64?
  @Attribute(.renamedFrom("surname")) var lastName: String
}
