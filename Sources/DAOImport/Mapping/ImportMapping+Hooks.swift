import DAOKit

extension ImportMapping {
  // MARK: Records

  /// Calls a hook before a record is read.
  public mutating func before(_ hook: @escaping @Sendable (ImportRecord) throws -> ImportDecision) { hooks.before = hook }

  /// Calls a hook that stores a record in its own way and returns the row, to which records around it and within it are related; nil leaves
  /// the record to the import. It counts as ``ImportCounts/handled``.
  public mutating func instead(_ hook: @escaping @Sendable (ImportRecord) throws -> E?) {
    hooks.instead = { record, entity in try hook(record).map { try entity.storedValues(of: $0) } }
  }

  /// Calls a hook after a record and those within it were stored.
  public mutating func after(_ hook: @escaping @Sendable (E, ImportRecord) throws -> Void) {
    hooks.after = { row, record in try hook(E(row: &row), record) }
  }

  // MARK: Attributes

  /// Calls a hook before the value of an attribute is read; not for a record that has none.
  public mutating func before<Value>(
    _ attribute: FieldKeyPath<E, Value>, _ hook: @escaping @Sendable (ImportValue, ImportRecord) throws -> ImportDecision
  ) {
    hooks.attributes[E.name(attribute), default: AttributeHooks()].before = hook
  }

  /// Calls a hook for the value of an attribute, instead of reading one: a conversion, or a value that several members of the record make.
  public mutating func instead<Value>(
    _ attribute: FieldKeyPath<E, Value>, _ hook: @escaping @Sendable (ImportRecord) throws -> Value
  ) {
    hooks.attributes[E.name(attribute), default: AttributeHooks()].instead = { record, column in try column.write(try hook(record)) }
  }

  /// Calls a hook with the value that was read for an attribute, which returns the one to store. To check it, throw or return the same.
  public mutating func after<Value>(
    _ attribute: FieldKeyPath<E, Value>, _ hook: @escaping @Sendable (Value, ImportRecord) throws -> Value
  ) {
    hooks.attributes[E.name(attribute), default: AttributeHooks()].after = { row, record, column in
      try column.write(try hook(row.next(), record))
    }
  }

  // MARK: Relationships

  /// Calls a hook before the records within a relationship are read; not for a record that has none.
  public mutating func before(
    related relationship: String, _ hook: @escaping @Sendable (ImportValue, ImportRecord) throws -> ImportDecision
  ) {
    hooks.relationships[relationship, default: RelationshipHooks()].before = hook
  }

  /// Calls a hook that returns what the record is to have for a relationship: an object, the value of an identity, a list of those, or
  /// null; nil for nothing.
  public mutating func instead(related relationship: String, _ hook: @escaping @Sendable (ImportRecord) throws -> ImportValue?) {
    hooks.relationships[relationship, default: RelationshipHooks()].instead = hook
  }

  /// Calls a hook after the rows of a relationship were stored, with the row that they are related to; not for a record that has none.
  public mutating func after(related relationship: String, _ hook: @escaping @Sendable (E, ImportRecord) throws -> Void) {
    hooks.relationships[relationship, default: RelationshipHooks()].after = { row, record in try hook(E(row: &row), record) }
  }
}
