import Foundation

extension Reading {
  /// Readings with keys from 1 on, the same in each run. Sensors are `sensor 000` to `sensor 999`; every third has a note, every fifth
  /// was taken at an unknown time.
  static func samples(_ count: Int, from first: Int = 1) -> [Reading] {
    var random = Random(UInt64(first))
    return (first..<first + count).map { id in
      let sensor = String(1000 + random.below(1000)).dropFirst()
      return Reading(
        id: Int64(id), sensor: "sensor \(sensor)", note: id % 3 == 0 ? "checked by hand, found as expected (\(random.below(50)))" : nil,
        value: Double(random.below(1_000_000)) / 64, isValid: random.below(10) > 0,
        takenAt: id % 5 == 0 ? nil : Date(timeIntervalSince1970: Double(random.milliseconds()) / 1000))
    }
  }

  /// The same without keys: rows that are new.
  static func newSamples(_ count: Int) -> [Reading] {
    samples(count).map { sample in
      var new = sample
      new.id = nil
      return new
    }
  }

  func feed(_ hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(sensor)
    hasher.combine(note)
    hasher.combine(value)
    hasher.combine(isValid)
    hasher.combine(takenAt)
  }
}

/// One hash of many readings.
func digest(_ readings: some Sequence<Reading>) -> Int {
  var hasher = Hasher()
  for reading in readings { reading.feed(&hasher) }
  return hasher.finalize()
}
