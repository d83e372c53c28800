import DAOFixtures
import DAOKit
import Foundation

/// How long the evaluator takes for each answer of the fixtures beside SQLite, in one process, one after the other in each round.
struct AnswerTimes: CustomStringConvertible {
  /// The medians of the rounds, in microseconds.
  private struct Line {
    let name: String
    let rows: Int
    let evaluator: Double
    let sqlite: Double
    var ratio: Double { evaluator / sqlite }
  }

  /// All answers together take at most so many times as long as SQLite.
  private static let together = 3.0
  /// No answer takes so many times as long.
  private static let worst = 10.0

  private var lines: [Line] = []

  init(rounds: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("answers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for fixture in Fixture.all {
      let sqlite = try DAOFactory(store: .file(fixture.write(to: folder)))
      let evaluated = try EvaluatedFixture(of: fixture, from: sqlite)
      let entities = try sqlite.store.entities()
      for answer in fixture.answers {
        let (entity, criteria) = try answer.criteria(of: entities)
        // Only SQL has views, and SQLite is not asked for no row.
        if entity.isReadOnly || criteria.criteria.filter == .constant(false) { continue }
        let (first, second) = (sqlite.runtimeDAO(entity), evaluated.factory.runtimeDAO(entity))
        let rows = try answer.ask(first, criteria)
        guard try answer.ask(second, criteria) == rows else { throw CocoaError(.coderInvalidValue) }
        var times: (sqlite: [Double], evaluator: [Double]) = ([], [])
        for _ in 0..<max(1, rounds) {
          times.sqlite.append(try Self.microseconds { _ = try answer.ask(first, criteria) })
          times.evaluator.append(try Self.microseconds { _ = try answer.ask(second, criteria) })
        }
        lines.append(Line(name: answer.name, rows: rows, evaluator: times.evaluator.median, sqlite: times.sqlite.median))
      }
    }
  }

  var isWithinLimits: Bool { ratio <= Self.together && lines.allSatisfy { $0.ratio <= Self.worst } }

  private var ratio: Double { lines.map(\.evaluator).reduce(0, +) / lines.map(\.sqlite).reduce(0, +) }

  var description: String {
    func column(_ number: Double) -> String { String(format: "%10.1f", number) }
    let shown = lines.sorted { $0.ratio > $1.ratio }.map {
      "\(column($0.ratio)) \(column($0.evaluator)) \(column($0.sqlite)) \(String(format: "%6d", $0.rows))  \($0.name)"
    }
    let head = "   × SQLite  evaluator     SQLite   rows  answer (µs)"
    let sum = String(
      format: "answers: %d, together %.2f × SQLite (at most %.0f), the slowest %.1f × (at most %.0f)", lines.count, ratio, Self.together,
      lines.map(\.ratio).max() ?? 0, Self.worst)
    return ([head] + shown + [sum]).joined(separator: "\n")
  }

  private static func microseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure(body).components
    return Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12
  }
}

extension [Double] {
  fileprivate var median: Double { sorted()[count / 2] }
}
