import DAOKit
import TestCases
import Testing

/// Random programs over a table with generated columns, and over the evaluator, which is given what the store computes: both have the same
/// rows, in sessions and in units of work too, and answer the same queries alike.
@Suite("Programs over generated columns")
struct GeneratedColumnProgramTests {
  /// A change, with values that the store has to ignore.
  private enum Step: CustomStringConvertible {
    case insert(Line)
    case update(Line)
    case upsert(Line)
    case upsertByName(Line, updatesPrice: Bool)
    case setPrice(Int, above: Int)
    case delete(Int64)
    case deleteCheap(Int)

    init(_ random: inout RandomSource) {
      let quantity = random.below(5)
      // The store of a unit gives other keys than the evaluator.
      let line = Line(
        id: Int64(1 + random.below(7)), total: random.below(9), random.pick(["pen", "ink", "cap", "nib", "wax", "PEN", "é"]),
        random.below(6) - 1, quantity == 4 ? nil : quantity, label: "given")
      switch random.below(12) {
      case 0...3: self = .insert(line)
      case 4, 5: self = .update(line)
      case 6: self = .upsert(line)
      case 7, 8: self = .upsertByName(line, updatesPrice: random.once(in: 2))
      case 9: self = .setPrice(random.below(9), above: random.below(12))
      case 10: self = .delete(Int64(1 + random.below(7)))
      default: self = .deleteCheap(random.below(3))
      }
    }

    var description: String {
      switch self {
      case .insert(let line): "insert \(line)"
      case .update(let line): "update \(line)"
      case .upsert(let line): "upsert \(line)"
      case .upsertByName(let line, let updatesPrice): "upsert \(line) by its name\(updatesPrice ? ", updating its price" : "")"
      case .setPrice(let price, let total): "set the price to \(price) above \(total)"
      case .delete(let id): "delete \(id)"
      case .deleteCheap(let total): "delete those below \(total)"
      }
    }

    /// - Parameter computing: whether the rows get the values that a store would compute.
    /// - Returns: the result, or the error's kind.
    func run(_ maker: some DAOMaker, computing: Bool = false) -> String {
      do {
        let lines = maker.runtimeDAO(Line.self)
        return try lines.write {
          func given(_ line: Line) -> Line { computing ? line.computed : line }
          let result: String
          switch self {
          case .insert(let line): result = "\(try lines.insert(given(line)).id ?? 0)"
          case .update(let line): result = "\(try lines.update(given(line)).id ?? 0)"
          case .upsert(let line): result = "\(try lines.upsert(given(line)).outcome)"
          case .upsertByName(let line, true):
            result = "\(try lines.upsert(given(line), on: [\.name], updating: [\.price]).outcome)"
          case .upsertByName(let line, false): result = "\(try lines.upsert(given(line), on: [\.name]).outcome)"
          case .setPrice(let price, let total): result = "\(try lines.update(.where(\.total > total), set: .set(\.price, to: price)))"
          case .delete(let id): result = "\(try lines.delete([id]))"
          case .deleteCheap(let total): result = "\(try lines.delete(.where(\.total < total)))"
          }
          if computing { try lines.update(lines.findAll().filter { $0 != $0.computed }.map(\.computed)) }
          return result
        }
      } catch DAOError.constraint(let kind, _, _, _) { return "refused: \(kind)" } catch DAOError.notFound {
        return "refused: not found"
      } catch { return "refused: \(error)" }
    }
  }

  /// The answers to queries over the generated columns.
  private static func answers(_ maker: some DAOMaker) throws -> [String] {
    let lines = maker.runtimeDAO(Line.self)
    var answers = try lines.findAll(.all.order(by: \.total, \.id)).map { "\($0)" }
    answers.append("\(try lines.findAllIDs(.where { $0.total == nil || $0.label > "n" }.order(by: .descending(\.label))))")
    answers.append("\(try lines.count(.where { $0.total != 0 && .contains($0.label, "n ") }))")
    answers.append("\(try lines.sum(of: \.total) ?? -1)")
    answers += try lines.project(.group(by: \.total), .count, .max(\.label), matching: .all.order(by: \.total)).map { "\($0)" }
    var token: PageToken?
    repeat {
      let page = try lines.page(.all.order(by: .descending(\.total), .ascending(\.label)), size: 2, after: token)
      answers.append("\(page.items.map(\.label))")
      token = page.next
    } while token != nil
    return answers
  }

  private func run(_ seed: UInt64) throws -> Int {
    var random = RandomSource(seed: seed)
    let kind = random.pick(Line.Kind.allCases)
    let factory = try TestStore([], sql: Line.table(kind)).factory
    let other = DAOFactory(over: try EvaluatorStore([Line.entityDescription]))
    var done: [String] = []
    func check(_ what: String, _ found: @autoclosure () throws -> [String], _ expected: [String]) throws {
      let found = try found()
      if found == expected { return }
      throw TestCases.Difference("\(what), \(kind), after\n\(done.joined(separator: "\n"))\nhas \(found)\nnot \(expected)")
    }
    func take(_ maker: some DAOMaker) throws {
      let step = Step(&random)
      done.append("\(step)")
      try check("the result", [step.run(maker)], [step.run(other, computing: true)])
    }
    for _ in 0..<8 { try take(factory) }
    try check("the store", Self.answers(factory), Self.answers(other))
    try factory.write { session in
      for _ in 0..<3 { try take(session) }
      try check("a session", Self.answers(session), Self.answers(other))
    }
    let before = try Self.answers(factory)
    let work = try factory.unitOfWork()
    for _ in 0..<4 {
      let step = Step(&random)
      let expected = step.run(other, computing: true)
      // What a store refuses at once, a unit may refuse with its commit alone.
      if expected.hasPrefix("refused") { continue }
      done.append("in a unit: \(step)")
      try check("the result", [try work.group { step.run(work) }], [expected])
      try check("a unit", Self.answers(work), Self.answers(other))
    }
    let after = try Self.answers(work)
    while try work.undo() {}
    try check("a unit, all undone", Self.answers(work), before)
    while try work.redo() {}
    try check("a unit, all done again", Self.answers(work), after)
    try work.commit()
    try check("the store", Self.answers(factory), after)
    return done.count
  }

  @Test func `do what they do where the values are given`() {
    let (counts, difference) = TestCases.concurrently(TestCases.seeds(3_000, inSuite: 200)) { try run($0) }
    if let difference { Issue.record(Comment(rawValue: difference)) }
    #expect(counts.reduce(0, +) > counts.count)
  }
}
