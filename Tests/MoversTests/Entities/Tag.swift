import DAOMacros

@Entity
struct Tag {
  @ID var name: String
}
