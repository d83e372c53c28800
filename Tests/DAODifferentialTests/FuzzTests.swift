import DAODifferential
import Testing

/// The evaluator and SQLite over random criteria, rows and schemas. `Scripts/fuzz` runs the same for longer.
///
/// Each run has other cases; `DAO_FUZZ_SEED` repeats one.
struct FuzzTests {
  @Test func `20,000 random cases are answered alike, and every kind of node tells something`() {
    let fuzzer = Fuzzer(
      seed: Fuzzer.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max)), cases: 20_000)
    print("DAO_FUZZ_SEED=\(fuzzer.seed)")
    let summary = fuzzer.run { Issue.record(Comment(rawValue: $0)) }
    #expect(summary.differences == 0 && summary.cases == fuzzer.cases)
    #expect(summary.missing.isEmpty, "never told anything: \(summary.missing)")
  }
}
