import Foundation

extension Contestant {
  /// A rival that writes: its table is restored before each lap, untimed, and is part of the digest.
  /// - Parameters:
  ///   - rows: what the table holds before each lap.
  ///   - reading: what a record of the rival's own holds; not timed.
  ///   - open: opens the rival's own store, once, and returns the work, which returns the records that came back.
  init<Record>(
    _ rival: Rival, _ workload: String, on stage: Stage, rows: [Reading] = [], _ reading: @escaping (Record) -> Reading,
    open: (URL) throws -> () throws -> [Record]
  ) throws {
    let ground = try Ground(stage, workload, rival, rows: rows)
    self.init(rival, prepare: ground.restore, work: try open(ground.url)) { returned in
      daobench.digest(returned: returned.map(reading), table: try ground.readings())
    }
  }

  /// A rival that writes readings themselves.
  init(
    _ rival: Rival, _ workload: String, on stage: Stage, rows: [Reading] = [], open: (URL) throws -> () throws -> [Reading]
  ) throws {
    try self.init(rival, workload, on: stage, rows: rows, { $0 }, open: open)
  }
}

/// One hash of the readings that came back from a write and of what the table holds after it, by key.
func digest(returned: [Reading], table: [Reading]) -> Int {
  var hasher = Hasher()
  hasher.combine(digest(returned))
  hasher.combine(digest(table))
  return hasher.finalize()
}
