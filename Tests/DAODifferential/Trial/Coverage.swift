import DAOKit

/// Which kinds of node were asked about, and how often the answer told something.
package struct Coverage: Sendable {
  private var counts: [String: (asked: Int, telling: Int)] = [:]

  /// Everything that criteria and questions can be made of.
  static let all: [String] =
    Kinds.all + [
      "find", "keys", "count", "exists", "report", "delete", "update", "ranked", "pages", "overflow", "undecodable", "constraint",
    ]

  package init() {}

  /// What was not asked, or always answered by nothing or by everything.
  package var missing: [String] { Self.all.filter { (counts[$0]?.telling ?? 0) == 0 } }

  /// `58 kinds of node, the rarest 41 times (among hundreds)`
  package var summary: String {
    let rarest = Self.all.map { (name: $0, count: counts[$0]?.telling ?? 0) }.min { $0.count < $1.count }
    return
      "\(Self.all.count - missing.count) of \(Self.all.count) kinds of node, the rarest \(rarest?.count ?? 0) times (\(rarest?.name ?? ""))"
  }

  /// Each kind with how often it was asked and how often that told something.
  package var table: String {
    Self.all.map { "  \($0): \(counts[$0]?.asked ?? 0), telling \(counts[$0]?.telling ?? 0)" }.joined(separator: "\n")
  }

  package mutating func note(_ trial: Trial, _ answer: Answer) {
    var kinds = Kinds()
    kinds.note(trial.criteria, scope: trial.scope)
    var found = kinds.found.union([trial.question.kind])
    if case .failed(let kind, _) = answer { found.insert(kind) }
    let isTelling = trial.isTold(by: answer)
    for kind in found {
      counts[kind, default: (0, 0)].asked += 1
      if isTelling, kind != "highlight" || answer.hasMark { counts[kind]?.telling += 1 }
    }
  }

  package mutating func add(_ other: Coverage) {
    for (kind, more) in other.counts {
      counts[kind, default: (0, 0)].asked += more.asked
      counts[kind]?.telling += more.telling
    }
  }
}

extension Trial {
  /// Whether an answer is neither nothing nor simply everything.
  fileprivate func isTold(by answer: Answer) -> Bool {
    guard case .rows(let rows, _) = answer else { return ["overflow", "undecodable", "constraint"].contains(answer.kind) }
    let all = world.rows[table].count
    return switch question {
    case .find, .keys, .pages: !rows.isEmpty && (rows.count < all || criteria.filter.isAlwaysTrue)
    case .report: !rows.isEmpty && all > 1
    case .count: rows != [[0]] && (rows != [[.integer(Int64(all))]] || criteria.filter.isAlwaysTrue)
    case .exists: all > 0
    case .delete, .update: rows.first != [0]
    case .ranked: rows.first?.first == true && rows.last?.first == false
    }
  }
}

extension Question {
  fileprivate var kind: String {
    switch self {
    case .find: "find"
    case .keys: "keys"
    case .count: "count"
    case .exists: "exists"
    case .report: "report"
    case .delete: "delete"
    case .update: "update"
    case .ranked: "ranked"
    case .pages: "pages"
    }
  }
}

extension Answer {
  /// Whether a highlight marked something.
  fileprivate var hasMark: Bool {
    guard case .rows(let rows, _) = self else { return false }
    return rows.joined().contains { if case .text(let text) = $0 { text.contains(Values.mark) } else { false } }
  }
}
