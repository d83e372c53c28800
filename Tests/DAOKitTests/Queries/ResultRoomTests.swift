import DAOKit
import Testing

@Suite("The memory of what is found")
struct ResultRoomTests {
  @Test func `is taken at once where as many are found as the last time, and not kept where fewer are`() throws {
    let zones = try TestStore.zones().zones
    let last = try #require(try zones.insert((0..<5_000).map { Zone("zone \($0)", $0) }).last?.id)
    // What a call finds of the last zones: how many, and for how many there is room.
    let calls: [(_ count: Int) throws -> (count: Int, room: Int)] = [
      { count in
        let found = try zones.findAll(.where(\.id > last - Int64(count)))
        return (found.count, found.capacity)
      },
      { count in
        let found = try zones.findAllIDs(.where(\.id > last - Int64(count)))
        return (found.count, found.capacity)
      },
      { count in
        let found = try zones.dictionaries(.where(\.id > last - Int64(count)).project(.field(\.name)))
        return (found.count, found.capacity)
      },
    ]
    for call in calls {
      let grown = try call(4_500)
      #expect(grown.count == 4_500 && grown.room > 5_500, "\(grown)")
      // The allocator has room for some more than were asked for.
      let expected = try call(4_500)
      #expect(expected.count == 4_500 && expected.room < 5_500, "\(expected)")
      let fewer = try call(10)
      #expect(fewer.count == 10 && fewer.room <= 84, "\(fewer)")
      #expect(try call(0).count == 0)
      #expect(try call(4_500).count == 4_500)
    }
  }
}
