import Testing

@testable import DAOSQL

struct BatchSizeTests {
  @Test func `batches grow while they are over soon, up to a limit`() {
    var size = BatchSize()
    var counts = [size.count]
    for _ in 0..<10 {
      size.adapt(to: .microseconds(100))
      counts.append(size.count)
    }
    #expect(counts == [1, 4, 16, 64, 256, 1_024, 4_096, 4_096, 4_096, 4_096, 4_096])
  }

  @Test func `batches of rows that take long shrink to one row`() {
    var size = BatchSize()
    for _ in 0..<4 { size.adapt(to: .microseconds(100)) }
    var counts: [Int] = []
    for _ in 0..<10 {
      size.adapt(to: .milliseconds(3))
      counts.append(size.count)
    }
    #expect(counts == [128, 64, 32, 16, 8, 4, 2, 1, 1, 1])
  }

  @Test func `a batch of a millisecond keeps its size`() {
    var size = BatchSize()
    size.adapt(to: .microseconds(100))
    size.adapt(to: .milliseconds(1))
    #expect(size.count == 4)
  }

  @Test func `the time is that of the reading`() {
    var size = BatchSize()
    for _ in 0..<2 { size.adapt(to: .microseconds(100)) }
    let end = ContinuousClock.now + .milliseconds(3)
    size.reading { while ContinuousClock.now < end {} }
    #expect(size.count == 8)
  }
}
