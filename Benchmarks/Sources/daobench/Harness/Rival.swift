/// Who does a workload's work.
enum Rival: String, CaseIterable, Sendable {
  /// A Swift loop straight on SQLite's C functions.
  case c
  /// GRDB, with a record that is read and written by hand.
  case grdb
  /// GRDB, with a record that is `Codable`.
  case grdbCodable
  /// DAOKit, as its README teaches it.
  case daokit
}

/// A rival at its place in a workload.
struct Contestant {
  let rival: Rival
  /// Does the work once.
  let lap: () async throws -> Lap

  /// A rival whose laps are its own affair.
  init(_ rival: Rival, lap: @escaping () async throws -> Lap) {
    self.rival = rival
    self.lap = lap
  }

  /// A rival whose laps are timed.
  /// - Parameters:
  ///   - rival: who.
  ///   - prepare: what comes before each lap, untimed; the work gets what it returns.
  ///   - work: what is timed.
  ///   - digest: a hash of all that the work produced, untimed.
  init<Input, Output>(
    _ rival: Rival, prepare: @escaping () throws -> Input, work: @escaping (Input) async throws -> Output,
    digest: @escaping (Output) throws -> Int
  ) {
    self.init(rival) {
      let input = try prepare()
      let (output, seconds) = try await timed { try await work(input) }
      return Lap(value: seconds, digest: try digest(output))
    }
  }

  /// A rival whose laps are timed and need nothing beforehand.
  init<Output>(_ rival: Rival, work: @escaping () async throws -> Output, digest: @escaping (Output) throws -> Int) {
    self.init(rival, prepare: {}, work: { _ in try await work() }, digest: digest)
  }
}

/// One run of a contestant.
struct Lap {
  /// The seconds that it took; a number of another kind where the workload says so.
  let value: Double
  let digest: Int
  /// By how many bytes the process's resident memory grew, where that is looked at.
  var growth = 0
}

/// What a body returned, and the seconds that it took.
func timed<Output>(_ body: () async throws -> Output) async throws -> (output: Output, seconds: Double) {
  let clock = ContinuousClock()
  let start = clock.now
  let output = try await body()
  return (output, start.duration(to: clock.now) / .seconds(1))
}
