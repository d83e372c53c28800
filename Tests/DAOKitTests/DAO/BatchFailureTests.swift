import DAOKit
import Foundation
import Testing

/// A batch fails at one row by its value, or by a rule of the schema.
@Suite("A batch that fails in the middle")
struct BatchFailureTests {
  private typealias Rows = RuntimeDAO<Box<Double>>

  private let store: TestStore
  private let good = (1...600).map { Self.box(Int64($0), Double($0)) }

  init() throws {
    store = try TestStore(
      [Box<Double>.entityDescription],
      sql: """
        CREATE UNIQUE INDEX once ON box (value);
        INSERT INTO box VALUES (1000, -1.0), (1001, -2.0)
        """)
  }

  private static func box(_ id: Int64?, _ value: Double) -> Box<Double> {
    var box = Box(value)
    box.id = id
    return box
  }

  private func batch(_ bad: Double, at index: Int) -> [Box<Double>] {
    var rows = good
    rows[index].value = bad
    return rows
  }

  /// The calls that take a batch.
  private func calls(_ rows: Rows, _ batch: [Box<Double>]) -> [() throws -> Void] {
    [
      { try rows.insert(batch) }, { try rows.upsert(batch) }, { try rows.upsert(batch, on: ["id"]) },
      { try rows.update([Self.box(1000, -3)] + batch.filter { !(1...600 ~= $0.value) }.map { Self.box(1001, $0.value) }) },
    ]
  }

  @Test func `nothing of it remains, the error names entity, attribute, value and position, and the next call is as ever`() throws {
    let rows = store.factory.runtimeDAO(Box<Double>.self)
    for (bad, reason) in [(Double.nan, "box.value can't hold NaN"), (-1, "UNIQUE constraint failed: box.value")] {
      for (number, call) in calls(rows, batch(bad, at: 400)).enumerated() {
        // The update has two entities, the first of which takes another value than the second wants.
        if bad == -1, number == 3 { continue }
        let message = failure(call)
        #expect(
          message?.contains(reason) == true && message?.hasSuffix("(number \(number == 3 ? 1 : 400) of those given, from 0)") == true,
          "\(message ?? "none")")
        #expect(try rows.findAllIDs() == [1000, 1001] && rows.find(1000).value == -1)
      }
    }
    #expect(failure { try rows.insert(Self.box(1, .nan)) } == "box.value can't hold NaN")
    try rows.insert(good)
    #expect(try rows.count() == 602)
  }

  @Test func `in a session nothing of it remains, and all else does`() throws {
    try store.factory.write { session in
      let rows = session.runtimeDAO(Box<Double>.self)
      try rows.insert(Self.box(2000, -10))
      for bad in [Double.nan, -1] {
        for call in calls(rows, batch(bad, at: 400)).dropLast() { #expect(failure(call) != nil) }
        #expect(try rows.findAllIDs() == [1000, 1001, 2000])
      }
      #expect(try rows.upsert([Self.box(2000, -11), Self.box(2001, -12)]).map(\.outcome) == [.updated, .inserted])
    }
    #expect(try store.factory.runtimeDAO(Box<Double>.self).findAllIDs() == [1000, 1001, 2000, 2001])
  }

  private func failure(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? DAOError)?.description ?? "other: \(error)" }
    return nil
  }
}
