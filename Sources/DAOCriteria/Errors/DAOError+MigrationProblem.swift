extension DAOError {
  /// One thing that keeps a store from being migrated to its entities.
  public struct MigrationProblem: Sendable, Hashable, CustomStringConvertible {
    /// The entity; the table's name where no entity has it.
    public let entity: String
    /// The attribute or column; empty where it is the table.
    public let element: String
    /// The problem, in one sentence, with the values that are in the way.
    public let message: String
    /// The hints that would resolve the problem, as Swift; choose one of them.
    public let hints: [String]

    /// A problem.
    public init(entity: String, element: String, message: String, hints: [String] = []) {
      self.entity = entity
      self.element = element
      self.message = message
      self.hints = hints
    }

    /// The problem and its hints in one line.
    public var description: String {
      "\(entity)\(element.isEmpty ? "" : ".\(element)"): \(message)" + (hints.isEmpty ? "" : "; say " + hints.joined(separator: " or "))
    }
  }
}
