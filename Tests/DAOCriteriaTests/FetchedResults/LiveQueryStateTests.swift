import Testing

@testable import DAOCriteria

@Suite("Waiting for live queries")
struct LiveQueryStateTests {
  private let state = LiveQueryState()

  private func changes(_ count: Int) -> [ChangedRow] {
    (0..<count).map { ChangedRow(before: nil, after: [.integer(Int64($0))]) }
  }

  /// Settles a mark in a task of its own, which can't be over before the loop goes on.
  private func settling(_ mark: Int) -> Task<Void, Never> { Task { await state.settle(mark: mark, isolation: nil) } }

  @Test func `nobody waits for a loop that does something else`() async {
    let mark = state.mark()
    await state.settle(mark: mark, isolation: nil)
    #expect(await state.wait(isolation: nil))
    state.leave()
    await state.settle(mark: state.mark(), isolation: nil)
  }

  @Test func `one that reads is waited for until it has the result, finds the same, or gives up`() async {
    let first = state.mark()
    #expect(await state.wait(isolation: nil))
    var settled = settling(first)
    state.unmark()
    state.leave()
    await settled.value

    let second = state.mark()
    #expect(await state.wait(isolation: nil))
    settled = settling(second)
    state.unmark()
    // Marked again while it reads: the next result is another one's affair.
    state.mark()
    #expect(await state.wait(isolation: nil))
    await settled.value

    // It gives up when somebody waits: what is called meanwhile resumes nobody.
    let third = state.mark()
    let gaveUp = Task {
      while !Task.isCancelled {
        state.giveUp()
        await Task.yield()
      }
    }
    await state.settle(mark: third, isolation: nil)
    gaveUp.cancel()
  }

  @Test func `one that comes back at once is waited for until it is over`() async {
    let state = LiveQueryState(isPrompt: true)
    let first = state.mark()
    let settled = Task { await state.settle(mark: first, isolation: nil) }
    state.leave()
    #expect(await state.wait(isolation: nil))
    state.unmark()
    state.leave()
    await settled.value
    let second = state.mark()
    let last = Task { await state.settle(mark: second, isolation: nil) }
    state.leave()
    state.end()
    await last.value
  }

  @Test func `a task that is cancelled waits no more`() async {
    #expect(await state.wait(isolation: nil))
    let settled = settling(state.mark())
    settled.cancel()
    await settled.value
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
