import DAORandomSessions
import Foundation
import TestCases

// Scripts/fuzz-sessions [STEPS] [SEED] [WRITERS]: writers beside each other, and what follows them, for as long as one likes.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let steps = Int(arguments.first ?? 100_000)
let seed = arguments.dropFirst().first ?? TestCases.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max))
let writers = Int(arguments.dropFirst(2).first ?? 8)
print("seed \(seed), \(steps) steps")

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-sessions-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let start = Date()
do {
  var reported = 0
  let counts = try await RandomSessions(writers: writers, seed: seed, in: folder).run(steps: steps) { taken in
    guard taken >= reported + 1000 else { return }
    reported = taken
    FileHandle.standardError.write(Data("\(taken) steps, \(Int(Double(taken) / Date().timeIntervalSince(start))) a second\n".utf8))
  }
  try? FileManager.default.removeItem(at: folder)
  for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) \(name)") }
  print("sessions: seed \(seed), \(counts["steps"] ?? 0) steps in \(Int(Date().timeIntervalSince(start))) s, no difference")
} catch {
  print("sessions: seed \(seed), in \(folder.path): \(error)")
  exit(1)
}
