import DAOKit
import Foundation
import TestCases
import Testing

@Suite("Money that units move between accounts")
struct AccountsTests {
  private struct Refused: Error {}

  /// What moved, and how often what happened.
  private struct Moves {
    var balances = Array(repeating: 0, count: 100)
    var changes = Array(repeating: 0, count: 100)
    var counts: [String: Int] = [:]

    mutating func move(_ amount: Int, from: Int, to: Int) {
      balances[from] -= amount
      balances[to] += amount
      changes[from] += 1
      changes[to] += 1
    }
  }

  /// One move: it is committed where this returns, and not where it throws.
  private static func move(_ amount: Int, from: Int, to: Int, _ factory: DAOFactory, _ random: RandomSource, _ counts: inout [String: Int])
    async throws
  {
    var random = random
    let work = try syncly { try factory.unitOfWork() }
    // On a form, or in a dialog of it.
    let inner = random.once(in: 3) ? work.child() : work
    var edits = 0
    while true {
      do {
        try syncly {
          let accounts = inner.runtimeDAO(Account.self)
          try inner.group("move") {
            var (payer, payee) = (try accounts.find(Int64(from + 1)), try accounts.find(Int64(to + 1)))
            payer.balance -= amount
            payee.balance += amount
            try accounts.update(payer)
            if edits == 0, random.once(in: 12) { throw Refused() }
            try accounts.update(.where(\.id == payee.id), set: .set(\.balance, to: payee.balance))
          }
          if random.once(in: 6) {
            try inner.undo()
            try inner.redo()
          }
          if inner !== work { try inner.commit() }
        }
        if random.once(in: 12) { throw Refused() }
        if random.once(in: 2) { try await work.commit() } else { try syncly { try work.commit() } }
        return
      } catch DAOError.conflict {
        counts["conflicts", default: 0] += 1
        edits += 1
        // Begins again with the accounts as they are now.
        try syncly {
          if random.once(in: 2) { try work.refresh(keeping: .theirs) } else { try work.rollback() }
          if try work.hasChanges { try work.rollback() }
        }
      }
    }
  }

  /// A tenth of the moves is cancelled, at whatever they are.
  private static func moves(_ count: Int, _ factory: DAOFactory, seed: UInt64) async throws -> Moves {
    var random = RandomSource(seed: seed)
    var moves = Moves()
    for _ in 0..<count {
      let (from, amount) = (random.below(100), 1 + random.below(50))
      // Some are much in demand.
      let to = (from + 1 + random.below(random.once(in: 3) ? 3 : 99)) % 100
      let own = RandomSource(seed: random.next())
      let task = Task {
        var counts: [String: Int] = [:]
        do {
          try await move(amount, from: from, to: to, factory, own, &counts)
          return (counts, "moves")
        } catch is Refused {
          return (counts, "refused")
        } catch is CancellationError {
          return (counts, "cancelled")
        }
      }
      if random.once(in: 10) {
        for _ in 0..<random.below(8) { await Task.yield() }
        task.cancel()
      }
      let (counts, outcome) = try await task.value
      moves.counts.merge(counts) { $0 + $1 }
      moves.counts[outcome, default: 0] += 1
      if outcome == "moves" { moves.move(amount, from: from, to: to) }
    }
    return moves
  }

  @Test func `no move is lost, and none is done by half`() async throws {
    let store = try FileStore([Account.entityDescription])
    let accounts = store.factory.runtimeDAO(Account.self)
    try syncly { try accounts.insert((Int64(1)...100).map { Account(id: $0, "owner \($0)", 1000) }) }
    let each = TestCases.count(2_000, inSuite: 60)
    let factory = store.factory
    let all = try await withThrowingTaskGroup(of: Moves.self) { group in
      for number in 0..<8 { group.addTask { try await Self.moves(each, factory, seed: TestCases.seed &+ UInt64(number)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let counts = all.reduce(into: [String: Int]()) { $0.merge($1.counts) { $0 + $1 } }
    print(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    let found = try syncly { try accounts.findAll(.all.order(by: \.id)) }
    #expect(found.map(\.balance) == (0..<100).map { number in 1000 + all.reduce(0) { $0 + $1.balances[number] } })
    #expect(found.map(\.version) == (0..<100).map { number in all.reduce(0) { $0 + $1.changes[number] } })
    #expect(found.reduce(0) { $0 + $1.balance } == 100_000)
    #expect(["moves", "refused", "cancelled", "conflicts"].allSatisfy { counts[$0, default: 0] > 0 }, "\(counts)")
    withExtendedLifetime(store) {}
  }
}
