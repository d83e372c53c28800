import Foundation

extension DAO {
  /// Inserts a copy of an entity with a key of its own, and returns it.
  ///
  /// ```swift
  /// let twin = try people.clone(person) { $0.email = nil }
  /// ```
  ///
  /// A generated key, and a UUID that is the whole key, are made anew; `change` gives another key where the entity has any other, and other
  /// values to attributes that must be unique. The rows of to-one relationships are shared. ``UnitOfWork/clone(_:with:)`` copies related
  /// rows too.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)`` for a key or a unique value that is taken; ``DAOError``.
  @discardableResult
  public final func clone(_ entity: E, _ change: (inout E) throws -> Void = { _ in }) throws -> E {
    var copy = try withNewKey(entity)
    try change(&copy)
    return try insert(copy)
  }

  private func withNewKey(_ entity: E) throws -> E {
    var values = try self.entity.storedValues(of: entity)
    guard let name = self.entity.renewedKey, let position = self.entity.position(of: name) else { return entity }
    let type = self.entity.attributes[position].type
    values[position] = if case .uuid = type { try type.stored(.uuid(UUID())) } else { .null }
    return try self.entity.read(values)
  }
}

extension EntityDescription {
  /// The attribute that gets a new value in a copy: a generated key, or a UUID that is the whole key and no reference.
  var renewedKey: String? {
    switch key {
    case .generated(let name): return name
    case .assigned(let names):
      guard names.count == 1, let attribute = self[names[0]], attribute.reference == nil, case .uuid = attribute.type else { return nil }
      return names[0]
    }
  }
}
