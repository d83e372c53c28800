/// The state shared by all parts of one statement: the tables, the entity that errors name, the work left, and whether rows stay unchanged.
package final class EvaluatedStatement {
  /// Returns the rows of an entity.
  package typealias Tables = (EntityDescription) throws -> EvaluatedTable

  let tables: Tables
  /// The entity of the criteria, which errors name.
  let root: EntityDescription
  private let meter: RunMeter?
  /// Whether no row changes as long as the statement is used, so that results can be kept.
  let isSnapshot: Bool

  /// A statement over an entity.
  /// - Parameters:
  ///   - budget: how much work it may take.
  ///   - isSnapshot: whether no row changes as long as it is used.
  package init(of root: EntityDescription, budget: RunBudget? = nil, isSnapshot: Bool = true, tables: @escaping Tables) {
    self.root = root
    self.tables = tables
    self.isSnapshot = isSnapshot
    meter = budget.map { RunMeter($0) }
  }

  /// How many steps it has taken; 0 without a budget.
  package var steps: Int { meter?.steps ?? 0 }

  /// Counts steps.
  /// - Throws: ``DAOError/budgetExceeded(entity:limit:)`` where the budget is spent.
  func spend(_ steps: Int = 1) throws {
    guard let meter, !meter.take(steps) else { return }
    throw DAOError.budgetExceeded(entity: root.name, limit: meter.exceeded ?? .steps(0))
  }

  /// The function of a row's place, worked out once for each row of a table.
  func remembering<Result>(_ table: EvaluatedTable, _ make: @escaping (Int) throws -> Result) -> (Int) throws -> Result {
    guard isSnapshot else { return make }
    let results = Results<Result>(table.places.count)
    return { place in
      if let known = results.known[place] { return known }
      let result = try make(place)
      results.known[place] = result
      return result
    }
  }
}

/// Results by the places of rows.
private final class Results<Result> {
  @exclusivity(unchecked) var known: [Result?]

  init(_ count: Int) { known = [Result?](repeating: nil, count: count) }
}

/// A value that is made when it is first asked for.
final class Once<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) { self.make = make }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
