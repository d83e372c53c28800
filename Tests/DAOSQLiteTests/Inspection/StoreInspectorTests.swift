import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What an inspection says of stores in every state, of which it changes none.
@Suite("Inspecting a store")
struct StoreInspectorTests: InspectingStores {
  let scratch: Scratch
  let store: URL

  init() throws {
    scratch = try Scratch()
    store = scratch.url("store.sqlite")
  }

  // MARK: Files

  @Test func `what is no database is the error that says so`() throws {
    func kind() -> DAOError.BootstrapProblem.Kind? {
      do { _ = try inspect() } catch DAOError.bootstrap(let problem) { return problem.kind } catch {}
      return nil
    }
    #expect(kind() == .unwritable)
    try Data().write(to: store)
    #expect(kind() == .notADatabase)
    try Data("not a database, but long enough to be taken for one, were it not for its first bytes, which are none".utf8).write(to: store)
    #expect(kind() == .notADatabase)
    try FileManager.default.removeItem(at: store)
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    #expect(kind() == .notAFile)
  }

  @Test func `a store without tables, and tables without rows, have nothing to say`() throws {
    try make("CREATE TABLE t (x); DROP TABLE t")
    #expect(try inspect().tables.isEmpty)
    let column = try column("DATETIME", [])
    #expect(column.certainty == .unsure && column.reason == "it has no values" && column.type == .any)
    let number = try self.column("DECIMAL(8,3)", [])
    #expect(number.certainty == .sure && number.type == .decimal(.numeric(3)))
  }

  @Test func `a store in use is read beside its writer`() throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: "PRAGMA user_version = 1; CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1)") }
    #expect(try StoreInspector.inspect(store)["t"]?.rowCount == 1)
  }

  // MARK: Views

  @Test func `a view that can't be read is a problem, and the others are inspected`() throws {
    try make(
      """
      CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1), (2), (2);
      CREATE VIEW gone AS SELECT missing FROM t;
      CREATE VIEW fails AS SELECT abs(x - 9223372036854775807 - 3) AS y FROM t;
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n;
      CREATE VIEW long AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i % 7 AS part FROM n;
      CREATE VIEW sound AS SELECT x, count(*) AS c FROM t GROUP BY x
      """)
    let found = try inspect()
    #expect(found["gone"]?.columns.isEmpty == true && found["gone"]?.problems.first?.contains("no such column: missing") == true)
    #expect(found["fails"]?.problems.first?.contains("integer overflow") == true, "\(String(describing: found["fails"]))")
    #expect(found["fails"]?["y"]?.certainty == .unsure)
    #expect(found["endless"]?.problems.first?.hasPrefix("its rows can't be read: ") == true, "\(String(describing: found["endless"]))")
    #expect(found["long"]?.rowCount == 10_000 && found["long"]?.problems == ["of the view's rows the first 10000 were read"])
    #expect(found["long"]?.distinctColumns == ["i"])
    #expect(found["sound"]?.distinctColumns == ["x", "c"] && found["sound"]?["c"]?.type == .integer)
    #expect(try found.entities().map(\.name) == ["endless", "fails", "long", "sound", "t"])
  }

  @Test func `virtual tables and checks that are more than lists are said not to be understood`() throws {
    try make(
      """
      CREATE VIRTUAL TABLE words USING fts5(a);
      CREATE TABLE t (x INTEGER CHECK (x % 2 = 0), y INTEGER CHECK (y BETWEEN 1 AND 5));
      INSERT INTO t VALUES (2, 3)
      """)
    let found = try inspect()
    #expect(found.tables.map(\.name) == ["t"])
    #expect(found.problems == ["words is a virtual table, which no entity can be"])
    #expect(found["t"]?.problems == ["CHECK (x % 2 = 0): it is more than a list or a range of one column's values"])
    #expect(found["t"]?["y"]?.rule?.description == ">= 1 AND <= 5")
  }

  @Test func `a table of 2,000 columns is inspected and described`() throws {
    let names = (0..<2_000).map { "c\($0)" }
    try make("CREATE TABLE wide (\(names.map { "\($0) DATETIME" }.joined(separator: ", ")))")
    try make("INSERT INTO wide (c7, c1999) VALUES ('2024-02-29 10:00:00', '2024-02-29')")
    let found = try inspect()
    #expect(found["wide"]?.columns.count == 2_000)
    #expect(found.corrections.types["wide"] == ["c7": .date(.text("YYYY-MM-DD HH:MM:SS")), "c1999": .date(.text("YYYY-MM-DD"))])
    #expect(try found.entities().first?.attributes.count == 2_001)
    #expect(try found.swiftSource(of: "wide")?.contains("var c1999: CalendarDay?") == true)
  }

  @Test func `a table whose pages are damaged is a problem, and the others are inspected`() throws {
    try make("CREATE TABLE a (x TEXT); CREATE TABLE b (y INTEGER); INSERT INTO b VALUES (1)")
    for _ in 0..<60 { try make("INSERT INTO a VALUES (hex(zeroblob(1000)))") }
    let root = try DatabaseQueue(path: store.path).read { try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'a'") }
    let handle = try FileHandle(forUpdating: store)
    try handle.seek(toOffset: UInt64((try #require(root) - 1) * 4096))
    try handle.write(contentsOf: Data(repeating: 0xEE, count: 64))
    try handle.close()
    let found = try inspect()
    #expect(found["a"]?.problems.first?.hasPrefix("its rows can't be read: ") == true, "\(found)")
    #expect(found["b"]?["y"]?.certainty == .sure)
  }

  // MARK: Certainty

  @Test func `few values are likely at most, and twenty are sure`() throws {
    let days = (1...20).map { "'2024-01-\($0 < 10 ? "0" : "")\($0)'" }
    let few = try column("TEXT", Array(days.prefix(19)))
    #expect(few.type == .date(.text("YYYY-MM-DD")) && few.certainty == .likely)
    let enough = try column("TEXT", days + ["NULL"])
    #expect(enough.type == .date(.text("YYYY-MM-DD")) && enough.certainty == .sure && enough.values == 20 && enough.nulls == 1)
  }

  @Test func `one value of another form is counted against, and shown`() throws {
    let days = (10...40).map { "'2024-01-\($0 % 20 + 10)'" }
    for (wrong, shown) in [
      ("'0000-00-00'", "'0000-00-00'"), ("'2023-02-29'", "'2023-02-29'"), ("7", "7"), ("CAST(x'32ff' AS TEXT)", "x'32FF'"),
    ] {
      let column = try column("DATE", days + [wrong])
      let form = try #require(column.forms.first { $0.type == .date(.text("YYYY-MM-DD")) })
      #expect(column.certainty == .unsure && form.matching == 31 && form.others == 1, "\(column)")
      #expect(form.example?.lowercased() == shown.lowercased(), "\(column)")
    }
  }

  @Test func `numbers that no decimal form holds are counted against`() throws {
    let numbers = (1...30).map { "\($0).25" }
    for wrong in ["9e999", "0.123456", "'1.234,50'"] {
      let column = try column("DECIMAL(10,2)", numbers + [wrong])
      let form = try #require(column.forms.first { $0.type == .decimal(.numeric(2)) })
      #expect(form.matching == 30 && form.others == 1 && column.certainty != .sure, "\(column)")
    }
    let long = try column("TEXT", numbers.map { "'\($0)'" } + ["'1234567890123456789012345678901234567890.5'"], named: "price")
    #expect(long.certainty == .unsure && long.forms.contains { $0.type == .decimal(.text) && $0.others == 1 }, "\(long)")
  }

  @Test func `the schema's word needs no values: a CHECK of words, of 0 and 1`() throws {
    let words = try column("TEXT", ["'Y'"], check: "CHECK (x IN ('Y', 'N'))")
    #expect(words.type == .boolText("Y/N") && words.certainty == .sure)
    let bits = try column("INTEGER", ["1"], check: "CHECK (x IN (0, 1))")
    #expect(bits.type == .bool && bits.certainty == .sure)
    let other = try column("INTEGER", ["1"], check: "CHECK (x IN (0, 1, 2))")
    #expect(other.type == .integer && other.certainty == .sure)
  }

  @Test func `numbers are dates where the name or the declared type says so, and unsure where nothing does`() throws {
    let stamps = (0..<30).map { "\(1_700_000_000_000 + $0 * 86_400_123)" }
    #expect(try column("INTEGER", stamps, named: "created_at").certainty == .likely)
    #expect(try column("INTEGER", stamps, named: "createdAt").type == .date(.unixMilliseconds))
    #expect(try column("DATETIME", stamps).certainty == .sure)
    let plain = try column("INTEGER", stamps, named: "quantity")
    #expect(plain.certainty == .unsure && plain.type == .integer && plain.forms.contains { $0.type == .date(.unixMilliseconds) })
    let mixed = try column("INTEGER", stamps + (0..<5).map { "\(1_700_000_000 + $0)" }, named: "created_at")
    #expect(mixed.certainty == .unsure, "\(mixed)")
  }

  @Test func `0 and 1 are numbers unless a name or a rule says more, and versions are no decimals`() throws {
    let bits = (0..<30).map { "\($0 % 2)" }
    #expect(try column("INTEGER", bits, named: "is_open").type == .bool)
    let count = try column("INTEGER", bits, named: "children")
    #expect(count.type == .integer && count.certainty == .unsure, "\(count)")
    let versions = (0..<30).map { "'1.\($0)'" }
    #expect(try column("TEXT", versions, named: "app_version").type == .text)
    #expect(try column("TEXT", versions, named: "weight").certainty == .unsure)
    #expect(try column("TEXT", versions, named: "price").type == .decimal(.text))
  }

  @Test func `digests of 32 digits are not taken for UUIDs, and marked UUIDs are`() throws {
    let digests = (0..<30).map { "'\(String(repeating: "f", count: 24))\(10_000_000 + $0)'" }
    #expect(try column("TEXT", digests).certainty == .unsure)
    let uuids = (0..<30).map { _ in "'\(UUID().uuidString.replacingOccurrences(of: "-", with: ""))'" }
    let found = try column("TEXT", uuids)
    #expect(found.type == .uuid(.spelled([.capitals, .withoutHyphens])) && found.certainty == .sure, "\(found)")
  }

  @Test func `numbers that are days by their digits, durations and counts are no instants`() throws {
    let days = (1...28).map { "\(20_240_100 + $0)" }
    #expect(try column("INTEGER", days, named: "order_date").type == .integer)
    let durations = (0..<30).map { "\(10_000_000 + $0 * 7_919)" }
    #expect(try column("INTEGER", durations, named: "duration_time").type == .integer)
    let stamps = (0..<30).map { "\(1_700_000_000 + $0)" }
    #expect(try column("INTEGER", stamps, named: "updated_rows").certainty == .unsure)
    #expect(try column("INTEGER", (0..<30).map { "\($0 % 2)" }, named: "read_count").type == .integer)
  }

  @Test func `six digits of the second may be left out where Django writes them, and nowhere else`() throws {
    let dates = (10...40).map { "'2024-01-02 10:00:\($0).12345\($0 % 10)'" }
    let optional = AttributeType.date(.text("YYYY-MM-DD HH:MM:SS[.SSSSSS]"))
    let fixed = AttributeType.date(.text("YYYY-MM-DD HH:MM:SS.SSSSSS"))
    #expect(try column("datetime", dates).type == optional)
    #expect(try column("datetime", dates + ["'2024-01-02 10:00:00.000000'"]).type == fixed)
    #expect(try column("datetime", dates + ["'2024-01-02 10:00:00'"]).type == optional)
    #expect(try column("datetime(6)", dates).type == fixed && column("TEXT", dates).type == fixed)
  }

  @Test func `one value of a kind, or under a rule of numbers, is no truth value`() throws {
    #expect(try column("INTEGER", ["1"], named: "action_flag").type == .integer)
    #expect(try column("INTEGER", ["1", "1"], named: "paid").type == .integer)
    #expect(try column("INTEGER", ["1", "0"], named: "paid").type == .bool)
    #expect(try column("INTEGER", ["1", "0"], named: "is_open", check: "CHECK (is_open >= 0)").type == .integer)
    #expect(try column("INTEGER", ["1"], check: "CHECK (x BETWEEN 0 AND 1)").type == .bool)
    for declared in ["DECIMAL(3,2)", "NUMERIC", ""] {
      #expect(try column(declared, ["0", "1"], check: "CHECK (x BETWEEN 0 AND 1)").type != .bool, "a share is a fraction")
    }
  }

  @Test func `codes of digits stay texts`() throws {
    for name in ["rate_plan", "tax", "balance_code"] {
      let codes = try column("TEXT", (0..<30).map { "'00\($0)'" }, named: name)
      #expect(codes.type == .text, "\(codes)")
    }
  }

  @Test func `both ends of a foreign key have one form, or that which is declared`() throws {
    try make(
      """
      CREATE TABLE user (id INTEGER PRIMARY KEY, key TEXT UNIQUE);
      CREATE TABLE bill (id INTEGER PRIMARY KEY, is_of INTEGER REFERENCES user, owner TEXT REFERENCES user (key));
      INSERT INTO user VALUES (1, 'admin')
      """)
    for number in 1...30 {
      let key = UUID().uuidString.lowercased()
      try make("INSERT INTO user VALUES (\(number + 1), '\(key)'); INSERT INTO bill VALUES (\(number), 1, '\(key)')")
    }
    let found = try inspect()
    #expect(found["bill"]?["owner"]?.type == .uuid(.text) && found["user"]?["key"]?.type == .text)
    #expect(found.corrections.types.isEmpty, "\(found.corrections)")
    #expect(try found.swiftSource(of: "bill")?.contains("var isOf: Reference<User>?") == true)
    var stated = found
    stated.corrections.types = ["bill": ["owner": .uuid(.text)]]
    let error = #expect(throws: DAOError.self) { try stated.entities() }
    #expect(
      error.map { "\($0)" }?.contains("bill.owner  the entity has the type UUID_TEXT, the store has the foreign key to user.key, TEXT")
        == true)
  }

  @Test func `rows that can't be read leave their columns unsure`() throws {
    try make("CREATE TABLE t (x INTEGER, y TEXT); INSERT INTO t VALUES (1, 'a'), (2, zeroblob(120000000))")
    let found = try #require(try inspect()["t"])
    #expect(found.problems == ["its rows can't be read: one is longer than 100000000 bytes"], "\(found)")
    #expect(found.columns.map(\.certainty) == [.unsure, .unsure] && found["x"]?.reason == "its rows can't be read")
  }

  @Test func `values that a CHECK does not allow take its enum away`() throws {
    let sql =
      "CREATE TABLE t (s TEXT CHECK (s IN ('open', 'paid'))); PRAGMA ignore_check_constraints = ON; "
      + "INSERT INTO t VALUES ('open'), ('other')"
    try make(sql)
    let found = try inspect()
    #expect(found["t"]?["s"]?.rule == nil && found["t"]?["s"]?.reason.hasSuffix("; against its CHECK: 1") == true)
    #expect(try found.swiftSource().contains("enum") == false)
  }
}
