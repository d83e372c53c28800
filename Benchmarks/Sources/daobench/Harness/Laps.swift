/// What each contestant's lap came to, round by round.
///
/// Ratios are taken within each round, whose laps are neighbours in time, and the median of them counts: what slows the machine for a
/// second slows the laps on either side too.
struct Laps {
  /// The rivals in the order of a round; `c` twice.
  let rivals: [Rival]
  /// The values, in the order of the rivals. The last rivals may be missing in the later rounds.
  private(set) var rounds: [[Double]] = []
  /// Where each lot of rounds begins: the first, and those that came of doubt.
  private var lots = [0]

  /// So many of the last lots count: what disturbed the machine for a minute does not count for ever.
  private static let lotCount = 4

  init(rivals: [Rival]) { self.rivals = rivals }

  mutating func add(_ round: [Double]) { rounds.append(round) }

  /// What follows is another lot of rounds.
  mutating func beginLot() { lots.append(rounds.count) }

  /// The rounds that count.
  var counted: ArraySlice<[Double]> { rounds[(lots.suffix(Self.lotCount).first ?? 0)...] }

  /// A rival's median, over all its laps in the rounds that count; of one who took part in the first alone, over those.
  func median(_ rival: Rival) -> Double? {
    let places = places(rival)
    guard let last = places.max() else { return nil }
    let laps = rounds(of: last).flatMap { round in places.map { round[$0] } }
    return laps.isEmpty ? nil : laps.median
  }

  /// The median of the ratios that two rivals had in the rounds of both; where one of them has several laps in a round, their mean.
  func ratio(_ rival: Rival, over other: Rival) -> Double? {
    let ratios = ratios(rival, over: other)
    return ratios.isEmpty ? nil : ratios.median
  }

  private func ratios(_ rival: Rival, over other: Rival) -> [Double] {
    let (own, others) = (places(rival), places(other))
    guard let last = (own + others).max(), !own.isEmpty, !others.isEmpty else { return [] }
    return rounds(of: last).map { round in mean(own, round) / mean(others, round) }
  }

  /// The rounds in which the rival at a place took part: those that count, or the first ones where it was in no other.
  private func rounds(of place: Int) -> [[Double]] {
    let all = rounds.filter { $0.count > place }
    let counted = counted.filter { $0.count > place }
    return counted.count == self.counted.count ? counted : all
  }

  /// How far the two laps of `c` strayed from each other, in the middle of all rounds: 0.03 is 3 %.
  var stray: Double {
    let places = places(.c)
    guard let first = places.first, let last = places.last else { return 0 }
    let ratio = counted.map { $0[last] / $0[first] }.median
    return max(ratio, 1 / ratio) - 1
  }

  /// Why more rounds could make it say something else; nil where there is no doubt.
  func doubt(_ limit: Limit) -> String? { strayed ?? nearness(to: limit) }

  /// What is left of the doubt when there is no time for more rounds. That `c` strayed is none where DAOKit keeps its limit beside either
  /// of its two runs, and even if it is charged with all of the stray.
  func lastDoubt(_ limit: Limit) -> String? {
    if let nearness = nearness(to: limit) { return nearness }
    let worst: Double?
    switch limit {
    case .ratioToC: worst = places(.c).map { ratio(.daokit, overLapAt: $0) * (1 + stray) }.max()
    case .value: worst = median(.daokit).map { $0 * (1 + stray) }
    }
    guard let worst, worst <= limit.number else { return strayed }
    return nil
  }

  /// The median of a rival's ratios to one lap of each round.
  private func ratio(_ rival: Rival, overLapAt place: Int) -> Double {
    counted.map { mean(places(rival), $0) / $0[place] }.median
  }

  private var strayed: String? {
    // Not a number is no proof that it did not.
    stray <= Runner.tolerance ? nil : "c strayed \((stray * 100).rounded(to: 1)) % from itself"
  }

  private func nearness(to limit: Limit) -> String? {
    guard let c = median(.c), let daokit = median(.daokit) else { return nil }
    switch limit {
    case .ratioToC(let number):
      let ratios = ratios(.daokit, over: .c)
      let ratio = ratios.median
      let error = ratios.errorOfMedian
      if abs(ratio - number) < 2 * error { return "\(ratio.rounded(to: 2)) × c may be \(error.rounded(to: 2)) more or less" }
      guard ratio <= number, daokit / c > number * (1 + Runner.tolerance) else { return nil }
      return "the medians make \((daokit / c).rounded(to: 2)) × c, the rounds \(ratio.rounded(to: 2))"
    case .value(let number):
      guard daokit > number, c > 1 + Runner.tolerance else { return nil }
      return "c itself came to \(c.rounded(to: 2))"
    }
  }

  private func places(_ rival: Rival) -> [Int] { rivals.indices.filter { rivals[$0] == rival } }

  private func mean(_ places: [Int], _ round: [Double]) -> Double { places.reduce(0) { $0 + round[$1] } / Double(places.count) }
}
