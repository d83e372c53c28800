import DAOCriteria
import DAOSQL
import TestCases
import Testing

@Suite("What a view takes to compile")
struct ViewExpansionTests {
  /// Views whose bodies use tables, earlier views, and names that a `WITH` of their own gives.
  private struct Views {
    var views: [(name: String, sql: String)] = []
    /// Uses, the view itself among them, and depth, by counting all of them.
    var sizes: [(uses: Int, depth: Int)] = []

    init(_ random: inout some RandomNumberGenerator) {
      let deep = Bool.random(using: &random)
      for number in 0..<Int.random(in: 1...(deep ? 140 : 14), using: &random) {
        func pick() -> Int? {
          number == 0 || Int.random(in: 0..<(deep ? 400 : 9), using: &random) == 0
            ? nil : deep ? number - 1 : Int.random(in: max(0, number - 3)..<number, using: &random)
        }
        var (uses, depth, from) = (1, 1, [String]())
        func use(_ size: (uses: Int, depth: Int)) { (uses, depth) = (min(uses + size.uses, 100_000), max(depth, size.depth + 1)) }
        var with = ""
        if !deep, Bool.random(using: &random), let inner = pick() {
          with = "WITH given0 (a) AS NOT MATERIALIZED (SELECT a FROM \"V\(inner)\" /* v1, v1 */)"
          var given = (uses: min(1 + sizes[inner].uses, 100_000), depth: sizes[inner].depth + 1)
          let last = Int.random(in: 0...8, using: &random)
          for place in 0..<last {
            with += ", 'given\(place + 1)' AS (SELECT x.a FROM given\(place) AS x, [given\(place)] AS y)"
            given = (min(1 + 2 * given.uses, 100_000), given.depth + 1)
          }
          for _ in 0..<Int.random(in: 0...2, using: &random) {
            from.append("given\(last) AS g\(from.count)")
            use(given)
          }
        }
        for _ in 0..<(deep ? 1 : Int.random(in: 1...3, using: &random)) {
          let used = pick()
          from.append((used.map { "v\($0)" } ?? "t") + " AS f\(from.count)")
          if let used { use(sizes[used]) }
        }
        views.append(
          ("v\(number)", "CREATE VIEW v\(number) AS \(with) SELECT f.a, 'it''s (v0' AS \"x as (\" FROM \(from.joined(separator: " JOIN "))")
        )
        sizes.append((uses, depth))
      }
    }
  }

  @Test func `is counted as all its uses, one by one, would be`() {
    var random = RandomSource(seed: TestCases.seed)
    var (large, deep, small) = (0, 0, 0)
    for _ in 0..<TestCases.count(1_500, inSuite: 300) {
      let made = Views(&random)
      var expansion = ViewExpansion(made.views.shuffled(using: &random))
      for (view, size) in zip(made.views, made.sizes).shuffled(using: &random) {
        let problem = expansion.problem(of: view.name.uppercased())
        let isTooLarge = size.uses > ViewExpansion.mostUses || size.depth > ViewExpansion.deepest
        #expect((problem != nil) == isTooLarge, "\(view) \(size)")
        if size.depth > ViewExpansion.deepest { deep += 1 } else if isTooLarge { large += 1 } else { small += 1 }
      }
    }
    #expect(large > TestCases.count(100, inSuite: 20) && deep > 100 && small > 1_000)
  }

  @Test func `ends for views that use themselves or each other, and for SQL of any kind`() {
    var expansion = ViewExpansion([
      ("a", "CREATE VIEW a AS SELECT * FROM b, b"), ("b", "CREATE VIEW b AS SELECT * FROM a, a, c"),
      ("c", "CREATE VIEW c AS SELECT * FROM c"),
      ("d", ""), ("e", "("), ("f", "f AS ("), ("g", "AS g AS (((((" + String(repeating: "x AS (", count: 50_000)),
    ])
    for name in ["a", "b", "c", "d", "e", "f", "none"] { #expect(expansion.problem(of: name) == nil) }
    _ = expansion.problem(of: "g")
    #expect(expansion.problem(ofStatement: String(repeating: "a ", count: 3_000)) != nil)
  }
}
