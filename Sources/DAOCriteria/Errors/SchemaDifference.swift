/// One difference between an entity and the store's schema.
public struct SchemaDifference: Sendable, Hashable, CustomStringConvertible {
  /// The entity.
  public let entity: String
  /// The column, index or foreign key; empty where the table itself differs.
  public let element: String
  /// The declaration of the entity.
  public let expected: String
  /// The declaration found in the store.
  public let found: String
  /// The declaration to use instead, in one sentence; nil where only a change of the store helps.
  public let advice: String?

  /// A difference.
  public init(entity: String, element: String, expected: String, found: String, advice: String? = nil) {
    self.entity = entity
    self.element = element
    self.expected = expected
    self.found = found
    self.advice = advice
  }

  /// The difference in one line.
  public var description: String { "\(place): \(sentence)" }

  /// Entity and element: `zone.name`.
  var place: String { entity + (element.isEmpty ? "" : ".\(element)") }

  /// Both sides, and the advice.
  var sentence: String { "the entity has \(expected), the store has \(found)" + (advice.map { "; \($0)" } ?? "") }
}
