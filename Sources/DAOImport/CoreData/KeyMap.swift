import DAOKit

/// The keys of the rows that have been stored, by the Z_PK of the rows that they were.
///
/// Rows come in the order of their Z_PK. Keys that count up with it, as generated ones do, take no memory of their own.
struct KeyMap {
  /// Rows whose Z_PK and whose keys count up together.
  private struct Run {
    let first: Int64
    let key: Int64
    var count: Int64
  }

  private var runs: [Run] = []
  private var others: [(number: Int64, key: [StoredValue])] = []

  /// How many stretches and single keys are kept.
  var size: Int { runs.count + others.count }

  /// Notes the key of a row, whose Z_PK is above those before.
  mutating func note(_ number: Int64, _ key: [StoredValue]) {
    guard key.count == 1, case .integer(let integer) = key[0] else { return others.append((number, key)) }
    if let last = runs.last, number.distance(above: last.first) == last.count, integer.distance(above: last.key) == last.count {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(first: number, key: integer, count: 1))
    }
  }

  /// The key of a row; nil for one that is not stored.
  subscript(number: Int64) -> [StoredValue]? {
    if let run = runs.last(upTo: number, by: \.first), let offset = number.distance(above: run.first), offset < run.count {
      return [.integer(run.key + offset)]
    }
    if let other = others.last(upTo: number, by: \.number), other.number == number { return other.key }
    return nil
  }
}

extension Int64 {
  /// How far it is above another number; nil where 64 bits do not hold that.
  fileprivate func distance(above other: Int64) -> Int64? {
    let (distance, isTooLarge) = subtractingReportingOverflow(other)
    return isTooLarge ? nil : distance
  }
}

extension Array {
  /// The last element whose number is at most this one, of elements in the order of their numbers.
  fileprivate func last(upTo number: Int64, by path: (Element) -> Int64) -> Element? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if path(self[middle]) <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : self[low - 1]
  }
}
