import DAOCriteria

// Attributes by their key paths.
extension Migration.Hint {
  /// The attribute is new: `.add(Zone.self, \.population)`.
  public static func add<E: Entity, V>(_ type: E.Type, _ path: FieldKeyPath<E, V>) -> Migration.Hint {
    .add(E.entityDescription.name, name(of: path, in: type))
  }

  /// The value for rows that have none, where the attribute needs one: `.fill(Zone.self, \.population, with: 0)`.
  public static func fill<E: Entity, V>(_ type: E.Type, _ path: FieldKeyPath<E, V>, with value: V) -> Migration.Hint {
    Migration.Hint(kind: .fill(entity: E.entityDescription.name, attribute: name(of: path, in: type), value: Criteria.Term(value)))
  }

  /// Converts each value of an attribute whose type has changed: the closure receives the value as it is stored, null too.
  ///
  /// ```swift
  /// .convert(Zone.self, \.elevation) { stored in if case .integer(let feet) = stored { Double(feet) * 0.3048 } else { nil } }
  /// ```
  public static func convert<E: Entity, V>(
    _ type: E.Type, _ path: FieldKeyPath<E, V>, by conversion: @escaping @Sendable (StoredValue) throws -> V
  ) -> Migration.Hint {
    .convert(E.entityDescription.name, name(of: path, in: type)) { try conversion($0).scalar }
  }

  private static func name<E: Entity, V>(of path: FieldKeyPath<E, V>, in type: E.Type) -> String {
    if case .field(let path) = E.term(path) { path.description } else { "" }
  }
}
