import DAOKit
import TestCases
import Testing

/// The stores that must be alike.
enum Both: String, CaseIterable, CustomTestStringConvertible {
  case evaluator, sqlite

  /// Where it takes seconds: both in `Scripts/properties`, SQLite alone in the suite.
  static let costly: [Both] = TestCases.areAll ? allCases : [.sqlite]

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
