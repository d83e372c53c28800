import TestCases
import Testing

@testable import DAOCriteria

@Suite("Rows of a list that are shared with the list before")
struct FetchedRowsTests {
  private typealias Rows = FetchedRows<Listed>

  private func row(_ number: Int) -> Rows.Row { Rows.Row(entity: Listed(number), place: [.integer(Int64(number))]) }

  @Test(arguments: TestCases.seeds(100, inSuite: 10))
  func `they are an array's, whatever is put in and taken out`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    var expected = Array(0..<random.pick([0, 1, 255, 256, 257, 3_000]))
    var rows = Rows(expected.map(row))
    for number in 10_000..<12_000 {
      let before = rows
      let (count, first) = (before.count, before.first?.id)
      // Mostly it grows, or shrinks.
      if !expected.isEmpty, random.below(100) < (seed % 2 == 0 ? 30 : 70) {
        let position = random.below(expected.count)
        #expect(rows.remove(at: position).place == [.integer(Int64(expected.remove(at: position)))])
      } else {
        let position = random.below(expected.count + 1)
        expected.insert(number, at: position)
        rows.insert(row(number), at: position)
      }
      #expect(rows.count == expected.count && before.count == count && before.first?.id == first)
    }
    #expect(rows.map { Int($0.id) } == expected)
    #expect(rows.indices.map { rows.row(at: $0).place } == expected.map { [.integer(Int64($0))] })
  }

  @Test(arguments: [0, 1, 256, 257, 5_000])
  func `a place is found among them`(count: Int) {
    let rows = Rows((0..<count).map { row(2 * $0) })
    func position(of number: Int) -> Int { rows.firstPosition { $0.place[0].compare(.integer(Int64(number)), as: .integer) >= 0 } }
    for number in 0..<count where number % 37 == 0 || number > count - 3 {
      #expect(position(of: 2 * number) == number && position(of: 2 * number + 1) == number + 1)
    }
    #expect(position(of: -1) == 0)
  }
}
