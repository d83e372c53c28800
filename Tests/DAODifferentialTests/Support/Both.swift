import DAOKit
import Testing

/// The stores that must be alike.
enum Both: String, CaseIterable, CustomTestStringConvertible {
  case evaluator, sqlite

  /// An empty store.
  func store(for entities: [EntityDescription]) throws -> any EntityStore {
    switch self {
    case .evaluator: try EvaluatorStore(entities)
    case .sqlite: try Stores.sqlite(for: entities)
    }
  }

  func factory(for entities: [EntityDescription]) throws -> DAOFactory { DAOFactory(over: try store(for: entities)) }

  var testDescription: String { rawValue }
}
