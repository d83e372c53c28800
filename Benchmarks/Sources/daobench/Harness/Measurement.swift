/// What a workload's rounds came to.
struct Measurement: Sendable {
  let workload: String
  let unit: String
  let rounds: Int
  /// The median of each rival, in the unit.
  let medians: [Rival: Double]
  /// How far the two runs of `c` strayed from each other: 0.03 is 3 %.
  let stray: Double
  let limit: Limit
  /// By how many bytes resident memory grew at most while DAOKit worked, where that is looked at.
  let growth: Int
  /// DAOKit's time over that of `c`; nil where the values are ratios themselves.
  let ratioToC: Double?
  /// DAOKit's time over that of GRDB's record by hand; nil as above.
  let ratioToGRDB: Double?
  /// Why nothing can be said of its limit; nil where there is no doubt.
  let doubt: String?

  /// More growth than this is a failure.
  static let growthLimit = 8_000_000

  init(_ workload: Workload, _ laps: Laps, scale: Double, growth: Int) {
    self.workload = workload.name
    unit = workload.unit
    rounds = laps.counted.count
    medians = Dictionary(uniqueKeysWithValues: Rival.allCases.compactMap { rival in laps.median(rival).map { (rival, $0 * scale) } })
    stray = laps.stray
    limit = workload.limit
    self.growth = growth
    doubt = laps.lastDoubt(limit)
    if case .ratioToC = limit {
      ratioToC = laps.ratio(.daokit, over: .c)
      ratioToGRDB = laps.ratio(.daokit, over: .grdb)
    } else {
      (ratioToC, ratioToGRDB) = (nil, nil)
    }
  }

  /// Under this ratio, `c` is not what SQLite costs at the least.
  static let floor = 0.95

  /// What is wrong with the rival that all are measured by; nil where it is the floor.
  var note: String? {
    guard let ratio = ratioToC, ratio < Self.floor else { return nil }
    return "\(workload): c is not the floor (\(ratio.rounded(to: 2)) × c)"
  }

  /// What DAOKit's limit is about, and its unit.
  var measured: (value: Double?, unit: String) {
    switch limit {
    case .ratioToC: (ratioToC, "× c")
    case .value: (medians[.daokit], unit)
    }
  }

  /// Why the measurement is not as it should be, one for each cause.
  var failures: [String] {
    let (measured, unit) = measured
    guard let measured else { return ["\(workload): DAOKit was not measured"] }
    var failures: [String] = []
    // Not a number keeps no limit.
    if !(measured <= limit.number) {
      failures.append("\(workload): \(measured.rounded(to: 3)) \(unit) is over the limit of \(limit.number)")
    }
    if growth > Self.growthLimit {
      failures.append("\(workload): \(growth.megabytes) more memory are over the limit of \(Self.growthLimit.megabytes)")
    }
    return failures
  }
}

extension Int {
  /// `0.6 MB`.
  var megabytes: String { "\((Double(self) / 1_000_000).rounded(to: 1)) MB" }
}

extension Double {
  func rounded(to places: Int) -> String { formatted(places) }

  private func formatted(_ places: Int) -> String { String(format: "%.\(places)f", self) }
}

extension [Double] {
  /// The middle value; the mean of the two in the middle of an even number.
  var median: Double {
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The standard error of the median, from the distance of the quartiles (of normal values, 1.349 and 1.253 standard deviations).
  var errorOfMedian: Double {
    let sorted = sorted()
    let quartiles = sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]
    return 1.253 * quartiles / 1.349 / Double(count).squareRoot()
  }
}
