import DAODifferential
import TestCases
import Testing

/// The evaluator and SQLite over random criteria, rows and schemas. `Scripts/fuzz` runs the same for longer.
///
/// Each run has other cases; `DAO_FUZZ_SEED` repeats one.
struct FuzzTests {
  @Test func `random cases are answered alike, and nearly every kind of node tells something`() {
    let fuzzer = Fuzzer(
      seed: TestCases.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max)), cases: TestCases.count(20_000, inSuite: 4_000))
    print("DAO_FUZZ_SEED=\(fuzzer.seed)")
    let summary = fuzzer.run { Issue.record(Comment(rawValue: $0)) }
    #expect(summary.differences == 0 && summary.cases == fuzzer.cases)
    // A short run can miss the rarest kinds by chance; the longer one of `.ci/run` asks for all.
    #expect(summary.coverage.missing.count <= (TestCases.areAll ? 0 : 6), "never told anything: \(summary.coverage.missing)")
  }
}
