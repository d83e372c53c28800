import Foundation

/// Runs workloads: rivals in turn, round after round, so that a drift of the machine meets all of them alike.
struct Runner {
  /// Whether one round is enough.
  let isQuick: Bool
  /// How often a workload is run again where its two runs of `c` stray.
  private var repeats: Int { isQuick ? 0 : 12 }
  let stage: Stage

  /// How far the medians of the two runs of `c` may be apart.
  static let tolerance = 0.03

  /// The measurement of the attempt in which c strayed least.
  func run(_ workload: Workload) async throws -> Measurement {
    let expected = try workload.expected(stage)
    var best = try await measure(workload, expected)
    var attempt = 0
    while best.stray > Self.tolerance, attempt < repeats {
      attempt += 1
      Progress.say("  \(workload.name): c strayed \((best.stray * 100).rounded(to: 1)) % from itself; once more")
      let next = try await measure(workload, expected)
      if next.stray < best.stray { best = next }
    }
    return best
  }

  /// Runs one rival alone for five seconds.
  func profile(_ workload: Workload, _ rival: Rival) async throws {
    let contestants = try workload.contestants(stage).filter { $0.rival == rival }
    let end = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < end { for contestant in contestants { _ = try await contestant.lap() } }
  }

  private func measure(_ workload: Workload, _ expected: Int) async throws -> Measurement {
    var contestants = try workload.contestants(stage)
    guard let c = contestants.first, c.rival == .c else { throw BenchmarkFailure("\(workload.name) does not begin with c") }
    // The second run of c comes right after DAOKit's, whose neighbour is then a c on either side.
    let place = contestants.firstIndex { $0.rival == .daokit } ?? contestants.count - 1
    contestants.insert(c, at: place + 1)

    let rounds = isQuick ? 1 : workload.rounds
    var values = [[Double]](repeating: [], count: contestants.count)
    var growth = 0
    for round in 0...rounds {
      // What comes after GRDB finds the processor's caches full of GRDB's data; so that this is neither c nor DAOKit, c runs once uncounted.
      if contestants.last?.rival != .c { _ = try await c.lap() }
      for (index, contestant) in contestants.enumerated() {
        let lap = try await contestant.lap()
        guard lap.digest == expected else {
          throw BenchmarkFailure("\(workload.name): \(contestant.rival.rawValue) produced other data than the samples call for")
        }
        if contestant.rival == .daokit { growth = max(growth, lap.growth) }
        // The first round warms up.
        if round > 0 { values[index].append(lap.value) }
      }
    }

    let scale = workload.scale(stage)
    var medians: [Rival: Double] = [:]
    for (contestant, laps) in zip(contestants, values) where contestant.rival != .c { medians[contestant.rival] = laps.median * scale }
    medians[.c] = (values[0] + values[place + 1]).median * scale
    let controls = (values[0].median, values[place + 1].median)
    return Measurement(
      workload: workload.name, unit: workload.unit, rounds: rounds, medians: medians,
      stray: max(controls.0, controls.1) / min(controls.0, controls.1) - 1, limit: workload.limit, growth: growth)
  }
}

/// What went wrong with a benchmark.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What is said on the way. It goes to standard error: standard output is for the result alone.
enum Progress {
  static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
