/// The store of a factory for unit tests.
public enum UnitTestStore: Sendable {
  /// No SQL and no file: criteria are evaluated over arrays, and the rules of the descriptions are kept. See ``EvaluatorStore``.
  case evaluator
}
