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

  /// - Parameters:
  ///   - rival: who.
  ///   - prepare: what comes before each lap, untimed.
  ///   - work: what is timed.
  ///   - digest: a hash of all that the work produced, untimed.
  init<Output>(
    _ rival: Rival, prepare: @escaping () throws -> Void = {}, work: @escaping () async throws -> Output,
    digest: @escaping (Output) throws -> Int
  ) {
    self.rival = rival
    lap = {
      try prepare()
      let clock = ContinuousClock()
      let start = clock.now
      let output = try await work()
      let duration = start.duration(to: clock.now)
      return Lap(seconds: duration / .seconds(1), digest: try digest(output))
    }
  }
}

/// One run of a contestant.
struct Lap {
  let seconds: Double
  let digest: Int
  /// By how many bytes the process's resident memory grew, where that is looked at.
  var growth = 0
}
