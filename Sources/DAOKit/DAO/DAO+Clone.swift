import Foundation

extension DAO {
  /// Inserts a copy of an entity with a key of its own, and returns it.
  ///
  /// ```swift
  /// let twin = try people.clone(person) { $0.email = nil }
  /// ```
  ///
  /// A generated key and a UUID are made anew; `change` gives another key where the entity has any other, and other values to attributes
  /// that must be unique. The rows of to-one relationships are shared. With copies of related rows there is ``UnitOfWork/clone(_:with:)``.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)`` for a key or a unique value that is taken; ``DAOError``.
  @discardableResult
  public final func clone(_ entity: E, _ change: (inout E) throws -> Void = { _ in }) throws -> E {
    var copy = try withNewKey(entity)
    try change(&copy)
    return try insert(copy)
  }

  private func withNewKey(_ entity: E) throws -> E {
    var values = try self.entity.storedValues(of: entity)
    for name in self.entity.key.attributes {
      guard let position = self.entity.position(of: name) else { continue }
      if case .generated = self.entity.key {
        values[position] = .null
      } else if case .uuid = self.entity.attributes[position].type {
        values[position] = try self.entity.attributes[position].type.stored(.uuid(UUID()))
      }
    }
    return try self.entity.read(values)
  }
}
