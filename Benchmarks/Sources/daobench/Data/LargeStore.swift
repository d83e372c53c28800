import Foundation

/// A store of readings with long notes, made once.
struct LargeStore: Sendable {
  let url: URL
  let rowCount: Int

  init(_ stage: Stage, megabytes: Int) throws {
    // A row takes somewhat more than its note of 1,000 bytes; three of them fill a page of 4,096.
    let rowCount = megabytes * 1_000_000 / 4096 * 3
    self.rowCount = rowCount
    url = try stage.store("large-\(megabytes)") { database in
      try database.insert(Self.samples(rowCount))
    }
  }

  /// What it holds.
  var samples: [Reading] { Self.samples(rowCount) }

  private static func samples(_ count: Int) -> [Reading] {
    Reading.samples(count).map { sample in
      var long = sample
      long.note = String(repeating: "\(sample.sensor) was checked. ", count: 42)
      return long
    }
  }

  /// A key, other ones for each number, all over the file.
  func key(_ number: Int) -> Int64 { Int64(number * 7919 % rowCount + 1) }
}
