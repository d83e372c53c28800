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
    #expect(counts == [64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096, 4_096, 4_096, 4_096])
  }

  @Test func `batches of rows that take long shrink to one row`() {
    var size = BatchSize()
    for _ in 0..<10 { size.adapt(to: .milliseconds(3)) }
    #expect(size.count == 1)
  }

  @Test func `a batch of a millisecond keeps its size`() {
    var size = BatchSize()
    size.adapt(to: .milliseconds(1))
    #expect(size.count == 64)
  }

  @Test func `the time is that of the reading`() {
    var size = BatchSize()
    let end = ContinuousClock.now + .milliseconds(3)
    size.reading { while ContinuousClock.now < end {} }
    #expect(size.count == 32)
  }
}
