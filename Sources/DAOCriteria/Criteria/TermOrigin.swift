/// The attribute whose stored values a term reads, for errors about them.
package struct TermOrigin: Sendable, Hashable {
  /// The entity that has the attribute.
  package let entity: String
  /// The attribute; for another term, the name that a report gives to it.
  package let attribute: String

  /// An attribute of an entity.
  package init(entity: String, attribute: String) { (self.entity, self.attribute) = (entity, attribute) }

  /// The error that a stored value of the attribute breaks its form, as reading its row has it.
  package func undecodable(_ problem: ValueProblem) -> DAOError {
    .undecodable(entity: entity, column: attribute, row: 0, problem: problem.description)
  }
}
