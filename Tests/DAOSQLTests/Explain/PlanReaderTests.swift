import Testing

@testable import DAOSQL

/// What SQLite says of plans, in the words of its versions from 3.37 on, beside those that the store's own version says in
/// `QueryPlanTests`.
@Suite("Reading plans")
struct PlanReaderTests {
  private let reader = PlanReader(tables: ["zone": "zone", "t1": "country"], indexes: ["zone_on_name": "zone", "i (x": "zone"])

  @Test(
    arguments: [
      ("SCAN zone", .fullScan(table: "zone")), ("SCAN t1", .fullScan(table: "country")), ("SEARCH zone", .fullScan(table: "zone")),
      ("SCAN other", .fullScan(table: "other")), ("SCAN zone LEFT-JOIN", .fullScan(table: "zone")),
      ("SCAN t1 EXISTS", .fullScan(table: "country")),
      ("SCAN zone USING INDEX zone_on_name", .indexScan(table: "zone", index: "zone_on_name", isCovering: false)),
      ("SCAN zone USING COVERING INDEX i (x", .indexScan(table: "zone", index: "i (x", isCovering: true)),
      (
        "SEARCH zone USING INDEX i (x (a=? AND b>? AND b<?)",
        .search(table: "zone", index: "i (x", columns: ["a", "b"], isCovering: false)
      ),
      (
        "SEARCH t1 EXISTS USING COVERING INDEX zone_on_name (ANY(a) AND (b,c)>(?,?)) LEFT-JOIN",
        .search(table: "country", index: "zone_on_name", columns: ["a", "b", "c"], isCovering: true)
      ),
      ("SEARCH zone USING COVERING INDEX zone_on_name", .search(table: "zone", index: "zone_on_name", columns: [], isCovering: true)),
      ("SEARCH zone USING INTEGER PRIMARY KEY (rowid=?)", .keySearch(table: "zone", columns: ["rowid"])),
      ("SEARCH zone USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", .keySearch(table: "zone", columns: ["rowid"])),
      ("SEARCH t1 USING PRIMARY KEY (code=?)", .keySearch(table: "country", columns: ["code"])),
      ("USING ROWID SEARCH ON TABLE zone FOR IN-OPERATOR", .keySearch(table: "zone", columns: ["rowid"])),
      ("USING INDEX zone_on_name FOR IN-OPERATOR", .search(table: "zone", index: "zone_on_name", columns: [], isCovering: true)),
      ("SEARCH t1 USING AUTOMATIC COVERING INDEX (name=?)", .automaticIndex(table: "country", columns: ["name"])),
      ("SEARCH t1 USING AUTOMATIC PARTIAL COVERING INDEX (name=?)", .automaticIndex(table: "country", columns: ["name"])),
      ("USE TEMP B-TREE FOR ORDER BY", .sort(.order, isPartial: false)), ("USE TEMP B-TREE FOR GROUP BY", .sort(.group, isPartial: false)),
      ("USE TEMP B-TREE FOR DISTINCT", .sort(.distinct, isPartial: false)),
      ("USE TEMP B-TREE FOR count(DISTINCT)", .sort(.distinct, isPartial: false)),
      ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", .sort(.order, isPartial: true)),
      ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", .sort(.order, isPartial: true)),
      ("USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY", .sort(.order, isPartial: true)),
      ("CO-ROUTINE (subquery-1)", .subquery(isCorrelated: false)), ("MATERIALIZE v", .subquery(isCorrelated: false)),
      ("LIST SUBQUERY 1", .subquery(isCorrelated: false)), ("CORRELATED SCALAR SUBQUERY 2", .subquery(isCorrelated: true)),
      ("COMPOUND QUERY", .union), ("UNION ALL", .union), ("UNION USING TEMP B-TREE", .union), ("LEFT-MOST SUBQUERY", .union),
      ("MERGE (UNION ALL)", .union), ("SCAN (subquery-1)", .other), ("SCAN CONSTANT ROW", .other), ("SCAN 3 CONSTANT ROWS", .other),
      ("SCAN json_each VIRTUAL TABLE INDEX 1:", .other), ("BLOOM FILTER ON t1 (name=?)", .other), ("MULTI-INDEX OR", .other),
      ("INDEX 1", .other), ("", .other), ("SCAN ", .fullScan(table: "")), ("something new", .other),
    ] as [(String, QueryPlan.Kind)])
  func `each of its words is known`(_ detail: String, _ kind: QueryPlan.Kind) {
    #expect(reader.steps([(1, 0, detail)]).map(\.kind) == [kind])
  }

  @Test func `steps stand below those that they are part of, and results go by their names`() {
    let steps = reader.steps([
      (2, 0, "CO-ROUTINE zone"), (5, 2, "SCAN zone"), (9, 0, "SCAN zone"), (12, 0, "LIST SUBQUERY 3"), (14, 12, "SCAN zone"),
    ])
    #expect(steps.map(\.kind) == [.subquery(isCorrelated: false), .other, .subquery(isCorrelated: false)])
    #expect(steps.map { $0.steps.map(\.kind) } == [[.fullScan(table: "zone")], [], [.fullScan(table: "zone")]])
    #expect(steps[0].description == "CO-ROUTINE zone\n  SCAN zone")
  }

  @Test func `of a table for which an index is made every row is looked at`() {
    let plan = QueryPlan(nil, steps: reader.steps([(1, 0, "SEARCH t1 USING AUTOMATIC COVERING INDEX (name=?)")]))
    #expect(plan.fullScans == ["country"] && plan.usedIndexes.isEmpty)
  }
}
