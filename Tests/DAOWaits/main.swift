// How long tasks, queues and calls take to answer while others wait for a store, and how long a cancelled call takes to return: each beside
// the same without anybody who waits; and how long it takes until a follower is told of another process's commit. Milliseconds, the most of
// all rounds.
import DAOKit
import Foundation

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-waits-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

print("answers, ms".padded(34) + "control   2       6       64 waiting")
let columns = try await [0, 2, 6, 64].asyncMap { try await Answers(waiting: $0, in: folder).measure() }
for (row, name) in Answers.names.enumerated() { print(name.padded(34) + columns.map { $0[row].shown }.joined()) }
print("\ncancelled calls return, ms")
for (name, time) in try await Cancellations(in: folder).measure() { print(name.padded(34) + time.shown) }
print("\nanother's commit is noticed, ms")
for (name, time) in try await Noticing(in: folder).measure() { print(name.padded(34) + time.shown) }

extension String {
  func padded(_ length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}

extension Duration {
  var shown: String { String(format: "%.2f", self / .milliseconds(1)).padded(8) }
}

extension Array {
  func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
