import DAOKit
import TestCases
import Testing

@testable import DAOImport

/// The keys of rows by the numbers that they had.
@Suite struct KeyMapTests {
  @Test func keysThatCountUpTakeNoMemory() {
    var map = KeyMap()
    for number in 1...100_000 { map.note(Int64(number), [.integer(Int64(number) + 7)]) }
    #expect(map.size == 1)
    #expect(map[1] == [.integer(8)] && map[100_000] == [.integer(100_007)] && map[0] == nil && map[100_001] == nil)
  }

  @Test func keysOfAnyKindAreFound() {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 1...200 {
      var (map, expected) = (KeyMap(), [Int64: [StoredValue]]())
      var (number, key) = (random.pick([Int64.min, -5, 0, 1]), Int64(random.below(9)))
      for _ in 0..<random.below(40) {
        let value: [StoredValue] =
          random.once(in: 4) ? [.text("k\(key)")] : random.once(in: 5) ? [.integer(1), .integer(key)] : [.integer(key)]
        map.note(number, value)
        expected[number] = value
        number += random.once(in: 3) ? 1 + Int64(random.below(3)) : 1
        key += random.once(in: 4) ? 2 : 1
      }
      map.note(.max, [.integer(.max)])
      expected[.max] = [.integer(.max)]
      for (number, value) in expected { #expect(map[number] == value) }
      for number in -10...100 where expected[Int64(number)] == nil { #expect(map[Int64(number)] == nil) }
    }
  }
}
