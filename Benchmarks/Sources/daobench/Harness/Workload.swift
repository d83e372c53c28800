/// The same work, to be done by several rivals.
struct Workload: Sendable {
  /// The name; a variant of a workload has it in parentheses, `stream-1m (main actor)`.
  let name: String
  /// What one of `count` is, in messages: `row`, `call`, `page`.
  let item: String
  /// How many items a lap works through.
  let count: Int
  /// The ratio to `c` that `--check` allows.
  let limit: Double
  /// Makes the contestants ready. The first is `c`; it runs at the end of each round once more, as the control.
  let contestants: @Sendable (Stage) throws -> [Contestant]

  init(
    _ name: String, per item: String, count: Int, limit: Double, contestants: @escaping @Sendable (Stage) throws -> [Contestant]
  ) {
    self.name = name
    self.item = item
    self.count = count
    self.limit = limit
    self.contestants = contestants
  }

  /// All workloads, in the order of the table.
  static let all: [Workload] = [.fetchAll, .fetchWide, .findByID, .findByIDInRead, .findByIDAsync, .criteriaPage,
    .streamByCursor, .streamOnMainActor, .streamOffMainActor]
}
