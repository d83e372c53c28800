import DAOMacros

/// A row whose company can't be deleted.
@Entity
struct Contract {
  @ID var id: Int64?
  @ToOne(onDelete: .deny) var company: Reference<Company>
}
