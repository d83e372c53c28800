import DAORandomSessions
import Foundation
import TestCases

// Scripts/endurance [SECONDS]: readers, writers and lists without a pause, an hour unless told otherwise.
let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3600
let seed = TestCases.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max))
let (mostMemory, mostLog) = (16 << 20, 64 << 20)

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-endurance-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

func text(_ figures: Endurance.Figures) -> String {
  func size(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / Double(1 << 20)) }
  return
    (figures.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" } + [
      "memory \(size(figures.memory)), \(size(figures.memory - figures.memoryAtFirst)) more than at first",
      "log at most \(size(figures.log))",
    ]).joined(separator: ", ")
}

do {
  let figures = try await Endurance(in: folder).run(for: seconds, seed: seed) { second, figures in
    FileHandle.standardError.write(Data("\(second) s: \(text(figures))\n".utf8))
  }
  try? FileManager.default.removeItem(at: folder)
  let isGood = figures.memory - figures.memoryAtFirst <= mostMemory && figures.log <= mostLog
  print("endurance: seed \(seed), \(seconds) s: \(text(figures)): \(isGood ? "no error" : "TOO MUCH")")
  exit(isGood ? 0 : 1)
} catch {
  print("endurance: seed \(seed), in \(folder.path): \(error)")
  exit(1)
}
