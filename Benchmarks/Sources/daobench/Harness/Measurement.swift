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

  /// More growth than this is a failure.
  static let growthLimit = 8 << 20

  /// A rival's median over that of `c`.
  func ratioToC(_ rival: Rival) -> Double? {
    guard let own = medians[rival], let c = medians[.c] else { return nil }
    return own / c
  }

  /// DAOKit's median over that of GRDB's record by hand.
  var ratioToGRDB: Double? {
    guard let own = medians[.daokit], let grdb = medians[.grdb] else { return nil }
    return own / grdb
  }

  /// Why the measurement is not as it should be; nil where it is.
  var failure: String? {
    let (measured, unit) =
      switch limit {
      case .ratioToC: (ratioToC(.daokit), "× c")
      case .value: (medians[.daokit], unit)
      }
    guard let measured else { return "\(workload): DAOKit was not measured" }
    if growth > Self.growthLimit { return "\(workload): \(growth >> 20) MB more memory is over the limit of \(Self.growthLimit >> 20)" }
    return measured > limit.number ? "\(workload): \(measured.rounded(to: 3)) \(unit) is over the limit of \(limit.number)" : nil
  }
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
}
