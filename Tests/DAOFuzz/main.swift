import DAODifferential
import Foundation
import TestCases

// Scripts/fuzz [CASES] [SEED]: the differential test for as long as one likes.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let seed = arguments.dropFirst().first ?? TestCases.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max))
let fuzzer = Fuzzer(seed: seed, cases: Int(arguments.first ?? 1_000_000))

print("seed \(fuzzer.seed), \(fuzzer.cases) cases")
let start = Date()
func rate(_ cases: Int) -> Int { Int(Double(cases) / max(0.001, Date().timeIntervalSince(start))) }
let summary = fuzzer.run { summary in
  FileHandle.standardError.write(Data("\(summary.cases) cases, \(rate(summary.cases)) a second\n".utf8))
} found: {
  print($0)
}
print(summary.coverage.table)
for kind in summary.missing { print("never told anything: \(kind)") }
print(
  "fuzz: seed \(fuzzer.seed), \(summary.cases) cases, \(rate(summary.cases)) a second, \(summary.differences) differences"
    + (summary.firstDifference.map { " (the first at case \($0))" } ?? "") + ", \(summary.invalid) invalid, \(summary.coverage.summary)")
exit(summary.differences == 0 && summary.missing.isEmpty ? 0 : 1)
