/// The same work, to be done by several rivals.
struct Workload: Sendable {
  /// The name; a variant of a workload has it in parentheses, `stream-1m (main actor)`.
  let name: String
  /// What a rival's result is told in.
  let unit: String
  /// What a lap's value is multiplied by to be in the unit.
  let scale: @Sendable (Stage) -> Double
  /// How many rounds count.
  let rounds: Int
  let limit: Limit
  /// Makes the contestants ready. The first is `c`; it runs once more right after DAOKit, as the control.
  let contestants: @Sendable (Stage) throws -> [Contestant]
  /// The digest that each has to come to, from the samples alone.
  let expected: @Sendable (Stage) throws -> Int

  /// A workload that is told in microseconds.
  /// - Parameters:
  ///   - name: its name.
  ///   - item: what one of `count` is: `row`, `call`, `page`.
  ///   - count: how many items a lap works through.
  ///   - quickCount: how many on a quick run, where a lap is long; `contestants` heeds it.
  ///   - rounds: how many count.
  ///   - limit: the ratio to `c` that `--check` allows.
  ///   - contestants: makes the contestants ready.
  ///   - expected: the digest that each has to come to, made of the samples without a database.
  init(
    _ name: String, per item: String, count: Int, quickCount: Int? = nil, rounds: Int = 7, limit: Double,
    contestants: @escaping @Sendable (Stage) throws -> [Contestant], expected: @escaping @Sendable (Stage) throws -> Int
  ) {
    self.name = name
    self.unit = "µs/\(item)"
    self.scale = { stage in 1_000_000 / Double(stage.isQuick ? quickCount ?? count : count) }
    self.rounds = rounds
    self.limit = .ratioToC(limit)
    self.contestants = contestants
    self.expected = expected
  }

  /// A workload whose laps return numbers of their own kind.
  /// - Parameters:
  ///   - name: its name.
  ///   - unit: what the numbers are.
  ///   - rounds: how many count.
  ///   - limit: the number of DAOKit's that `--check` allows.
  ///   - contestants: makes the contestants ready.
  ///   - expected: the digest that each has to come to, made of the samples without a database.
  init(
    _ name: String, unit: String, rounds: Int = 7, limit: Limit, contestants: @escaping @Sendable (Stage) throws -> [Contestant],
    expected: @escaping @Sendable (Stage) throws -> Int
  ) {
    self.name = name
    self.unit = unit
    self.scale = { _ in 1 }
    self.rounds = rounds
    self.limit = limit
    self.contestants = contestants
    self.expected = expected
  }

  /// All workloads, in the order of the table.
  static let all: [Workload] =
    [
      .fetchAll, .fetchWide, .fetchForeign, .prefetchMany, .prefetchOne, .findByID, .findByIDInRead, .findByIDAsync, .criteriaPage,
      .criteriaShapes,
      .countAndProject, .insert, .update,
      .upsert, .delete, .writeOne, .captureInserts, .captureUpdates, .captureAttributes, .captureDeletes, .unitCommit,
      .observe, .observeMany, .observeRanges, .observeHit,
      .dynamic, .streamByCursor, .streamOnMainActor, .streamOffMainActor, .readers, .readersOverOne, .open,
      .openOverSmall, .seedCopy, .seedUpgrade, .seedUpgradeHeldBack, .seedUnchanged,
      .keysetDeep, .keysetFirst,
      .importNew, .importUnchanged, .importChanged, .importUnchangedOverNew, .importUnique, .importCSV, .importLines,
    ] + quantifiers + [fetchWideInUsedHeap]
}

/// What `--check` allows at most.
enum Limit: Sendable {
  /// Of DAOKit's value over that of `c`.
  case ratioToC(Double)
  /// Of DAOKit's value itself.
  case value(Double)

  var number: Double {
    switch self {
    case .ratioToC(let number), .value(let number): number
    }
  }
}
