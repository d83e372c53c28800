import DAOMacros

/// A text whose words are searched for.
@Entity
struct Note {
  @ID var id: Int64?
  @Attribute(.searchable) var text: String
}
