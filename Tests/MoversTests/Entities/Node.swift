import DAOMacros

/// A row of a tree, whose records lie within each other.
@Entity
struct Node {
  @ID var name: String
  @ToOne(onDelete: .nullify) var parent: Reference<Node>?
}
