import Foundation

/// Runs workloads: rivals in turn, round after round, so that a drift of the machine meets all of them alike.
struct Runner {
  /// Whether one round is enough.
  let isQuick: Bool
  let stage: Stage

  /// How far the two runs of `c` may be apart, and how far over a limit the medians may be where the rounds keep it, before there is doubt.
  static let tolerance = 0.03
  /// Short laps have more rounds than a workload asks for, as many as there is time for: the median of many strays less.
  private static let timeForRounds = Duration.seconds(8)
  /// For how long a workload is repeated where there is doubt, each time as many rounds and as much time again.
  private static let timeInDoubt = Duration.seconds(360)

  /// Runs a workload until there are rounds enough and there is no doubt, or no time for more.
  func run(_ workload: Workload) async throws -> Measurement {
    let expected = try workload.expected(stage)
    let contestants = try workload.contestants(stage)
    guard let c = contestants.first, c.rival == .c, let daokit = contestants.first(where: { $0.rival == .daokit }) else {
      throw BenchmarkFailure("\(workload.name) does not begin with c, or is not for DAOKit")
    }
    let others = contestants.filter { $0.rival != .c && $0.rival != .daokit }
    let rounds = isQuick ? 1 : workload.rounds
    var (last, end) = (rounds, ContinuousClock.now + Self.timeForRounds)
    let latest = ContinuousClock.now + Self.timeInDoubt
    var laps = Laps(rivals: ([c, daokit, c] + others).map(\.rival))
    var growth = 0
    // The first round warms up.
    for round in 0... {
      // Uncounted, so that both runs of c find the processor's caches as DAOKit leaves them.
      if !isQuick { growth = max(growth, try await daokit.lap().growth) }
      var values: [Double] = []
      for contestant in [c, daokit, c] + (round > rounds ? [] : others) {
        let lap = try await contestant.lap()
        guard lap.digest == expected else {
          throw BenchmarkFailure("\(workload.name): \(contestant.rival.rawValue) produced other data than the samples call for")
        }
        if contestant.rival == .daokit { growth = max(growth, lap.growth) }
        values.append(lap.value)
      }
      if round == 0 { continue }
      laps.add(values)
      if round < last || !isQuick && .now < end { continue }
      guard !isQuick, .now < latest, let doubt = laps.doubt(workload.limit) else { break }
      Progress.say("  \(workload.name): \(doubt); some rounds more")
      laps.beginLot()
      (last, end) = (round + rounds, .now + Self.timeForRounds)
    }
    return Measurement(workload, laps, scale: workload.scale(stage), growth: growth)
  }

  /// Runs one rival alone for five seconds.
  func profile(_ workload: Workload, _ rival: Rival) async throws {
    let contestants = try workload.contestants(stage).filter { $0.rival == rival }
    if contestants.isEmpty { throw BenchmarkFailure("\(workload.name) is not for \(rival.rawValue)") }
    let end = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < end { for contestant in contestants { _ = try await contestant.lap() } }
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
