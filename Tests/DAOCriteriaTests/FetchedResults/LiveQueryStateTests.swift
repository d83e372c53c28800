import Testing

@testable import DAOCriteria

@Suite("Waiting for live queries")
struct LiveQueryStateTests {
  private let state = LiveQueryState()

  private func changes(_ count: Int) -> [ChangedRow] {
    (0..<count).map { ChangedRow(before: nil, after: [.integer(Int64($0))]) }
  }

  /// Settles in a task of its own, which is waiting then.
  private func settling() async -> Task<Void, Never> {
    let task = Task { await state.settle(isolation: nil) }
    for _ in 0..<100 { await Task.yield() }
    return task
  }

  @Test func `nobody waits for a loop that does something else`() async {
    await state.settle(isolation: nil)
    #expect(await state.wait(isolation: nil))
    state.leave()
    state.mark()
    await state.settle(isolation: nil)
  }

  @Test func `one that reads is waited for until it has the result, gives up, or finds the same`() async {
    #expect(await state.wait(isolation: nil))
    #expect(state.isWaitedFor)
    var settled = await settling()
    state.leave()
    await settled.value

    #expect(await state.wait(isolation: nil))
    settled = await settling()
    state.giveUp()
    await settled.value

    state.unmark()
    settled = await settling()
    let loop = Task { await state.wait(isolation: nil) }
    await settled.value
    state.mark()
    #expect(await loop.value)
  }

  @Test func `a task that is cancelled waits no more`() async {
    #expect(await state.wait(isolation: nil))
    let settled = await settling()
    settled.cancel()
    await settled.value
    #expect(state.isWaitedFor)
  }

  @Test func `changed rows are kept from one result to the next, but not too many`() {
    #expect(state.takeRows() == nil)
    state.unmark(keepingRows: true)
    state.mark(by: changes(2))
    state.mark(by: changes(3))
    #expect(state.takeRows()?.count == 5 && !state.isMarked)
    state.mark(by: changes(1_000))
    #expect(state.takeRows()?.count == 1_000)
    state.mark(by: changes(1_000))
    state.mark(by: changes(1))
    #expect(state.isToBeRead && state.takeRows() == nil)
    state.unmark(keepingRows: true)
    state.mark(by: changes(1))
    state.mark()
    state.mark(by: changes(1))
    #expect(state.isToBeRead && state.takeRows() == nil)
  }
}
