/// The names that criteria may use for an entity, each a ``Field``. `@Entity` writes it; by hand see ``Entity``.
public protocol EntityFields: Sendable {
  /// The fields of an entity that is reached by `path`.
  init(path: FieldPath)
}
