/// The work that a query may take before it ends with ``DAOError/budgetExceeded(entity:limit:)``.
///
/// ``CriteriaDecoder`` gives one to every query that it reads, so that untrusted JSON ends, whatever it requests. Criteria that are made in
/// Swift have none, unless ``Criteria/budget`` is set.
///
/// ```swift
/// var decoder = CriteriaDecoder()
/// decoder.budget = RunBudget(steps: 5_000_000, time: .seconds(1))
/// ```
///
/// A step is an instruction of SQLite's virtual machine, or one condition, term or row that the evaluator visits. Functions of texts take
/// one step more for every ``bytesPerStep`` bytes that they read. The number of steps depends on the rows and the criteria, never on the
/// machine.
public struct RunBudget: Sendable, Hashable {
  /// How many steps a query may take: 50 million.
  public var steps: Int
  /// How long a query may take: 5 seconds.
  public var time: Duration

  /// A budget.
  public init(steps: Int = 50_000_000, time: Duration = .seconds(5)) {
    self.steps = steps
    self.time = time
  }

  /// How many bytes of text a function reads in one step.
  public static let bytesPerStep = 64

  /// A limit that a query has exceeded.
  public enum Limit: Sendable, Hashable {
    /// The number of steps that were allowed.
    case steps(Int)
    /// The time that was allowed.
    case time(Duration)
  }
}

extension RunBudget.Limit: CustomStringConvertible {
  /// The limit in words: "50000000 steps", "5.0 seconds".
  public var description: String {
    switch self {
    case .steps(let count): "\(count) steps"
    case .time(let time): "\(time)"
    }
  }
}
