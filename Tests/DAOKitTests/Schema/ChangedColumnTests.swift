import DAOKit
import DAOTestSupport
import Foundation
import GRDB
import Testing

/// The schema of an open store changes: what was compared at opening holds no longer.
@Suite struct ChangedColumnTests {
  private static let price = EntityDescription(
    "price", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("amount", .decimal(.scaled(2)))])

  private static let line = EntityDescription(
    "line", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("price", .integer, optional: true)],
    relationships: [.toOne("cost", price, by: "price")])

  /// What makes 18 of 0.18.
  private static let asNumber = [
    "ALTER TABLE price DROP COLUMN amount", "ALTER TABLE price ADD COLUMN amount NUMERIC NOT NULL DEFAULT 18",
  ]
  private static let asBefore = [
    "ALTER TABLE price DROP COLUMN amount", "ALTER TABLE price ADD COLUMN amount DECIMAL_INTEGER(2) NOT NULL DEFAULT 18",
  ]

  /// An open store with a price and a line.
  private struct Opened {
    let folder: StoreFolder
    let file: URL
    let factory: DAOFactory
    let statements = StatementRecorder()
    let prices: RuntimeDAO<DynamicEntity>
    let lines: RuntimeDAO<DynamicEntity>

    var cheapLines: CheapLines { factory.dao(of: ChangedColumnTests.line) { CheapLines($0) } }

    init(opensWith entities: [EntityDescription] = [ChangedColumnTests.price, ChangedColumnTests.line]) throws {
      folder = try StoreFolder()
      file = folder.file("store")
      do {
        let engine = try StoreDescription.file(file).open([ChangedColumnTests.price, ChangedColumnTests.line]).engine
        let factory = DAOFactory(over: EngineStore(engine))
        let prices = factory.runtimeDAO(ChangedColumnTests.price)
        let lines = factory.runtimeDAO(ChangedColumnTests.line)
        try prices.insert(prices.make(["amount": .decimal(0.18)]))
        try lines.insert(lines.make(["price": 1]))
      }
      let engine = try StoreDescription.file(file).open(entities, statements: StatementObserver(statements.record)).engine
      factory = DAOFactory(over: EngineStore(engine))
      prices = factory.runtimeDAO(ChangedColumnTests.price)
      lines = factory.runtimeDAO(ChangedColumnTests.line)
    }

    /// Runs SQL as another program does.
    func elsewhere(_ statements: [String]) throws {
      let queue = try DatabaseQueue(path: file.path)
      try queue.writeWithoutTransaction { db in for sql in statements { try db.execute(sql: sql) } }
      try queue.close()
    }

    func stored() throws -> [String] {
      let queue = try DatabaseQueue(path: file.path)
      defer { try? queue.close() }
      return try queue.read { try String.fetchAll($0, sql: "SELECT typeof(amount) || amount FROM price ORDER BY id") }
    }

    var new: DynamicEntity { get throws { try prices.make(["amount": .decimal(0.25)]) } }
  }

  private typealias Call = (name: String, run: @Sendable (Opened) throws -> Any)

  private static let reads: [Call] = [
    ("find all", { try $0.prices.findAll() }), ("find", { try $0.prices.find(1) }),
    ("find some", { try $0.prices.findAll(.where { $0["amount"] < Scalar.decimal(1) }) }),
    ("count", { try $0.prices.count(.where { $0["amount"] < Scalar.decimal(1) }) }),
    ("exists", { try $0.prices.exists(.where { $0["amount"] == Scalar.decimal(0.18) }) }),
    ("report", { try $0.prices.dictionaries(.all.project(.aggregate(.max, "amount"))) }),
    ("cursor", { try $0.prices.withCursor(.all) { cursor in try cursor.next() as Any } }),
    ("in a session", { try $0.factory.read { try $0.runtimeDAO(price).findAll() } }),
    ("own SQL", { try $0.prices.query("SELECT * FROM price") }),
    ("beyond a relationship", { try $0.lines.findAll(.where { $0["cost.amount"] == Scalar.decimal(0.18) }) }),
    ("find in a scope that goes beyond one", { try $0.cheapLines.find(1) }),
    ("prefetch", { try $0.lines.findAll(SearchCriteria().prefetch("cost")) }),
  ]

  private static let writes: [Call] = [
    ("insert", { try $0.prices.insert($0.new) }), ("insert several", { try $0.prices.insert([$0.new, $0.new]) }),
    ("upsert", { try $0.prices.upsert($0.new) }),
    ("update", { try $0.prices.update($0.prices.make(["id": 1, "amount": .decimal(0.5)])) }),
    ("change", { try $0.prices.update(.where { $0.id == 1 }, set: .set("amount", to: Scalar.decimal(0.5))) }),
    ("delete", { try $0.prices.delete(.where { $0["amount"] < Scalar.decimal(0.1) }) }),
    ("in a session", { opened in try opened.factory.write { try $0.runtimeDAO(price).insert(opened.new) } }),
    ("beyond a relationship", { try $0.lines.delete(.where { $0["cost.amount"] == Scalar.decimal(7) }) }),
    ("update in a scope that goes beyond one", { try $0.cheapLines.update($0.lines.make(["id": 1, "price": 1])) }),
    ("upsert in a scope that goes beyond one", { try $0.cheapLines.upsert($0.lines.make(["id": 1, "price": 1])) }),
  ]

  /// Lines whose price costs less than one.
  private final class CheapLines: DAO<DynamicEntity>, @unchecked Sendable {
    override var scope: Filter<DynamicEntity> {
      Filter(SearchCriteria<DynamicEntity>.where { $0["cost.amount"] < Scalar.decimal(1) }.criteria.filter)
    }
  }

  private func elements(_ body: () throws -> Any) -> [String]? {
    do {
      _ = try body()
      return nil
    } catch DAOError.schemaMismatch(_, let differences) { return differences.map(\.element) } catch { return ["\(error)"] }
  }

  @Test(arguments: [true, false]) func `another program changes a column's type: reads are refused, until it is as before`(isUsed: Bool)
    throws
  {
    for call in Self.reads {
      let opened = try Opened()
      if isUsed { _ = try call.run(opened) }
      try opened.elsewhere(Self.asNumber)
      for _ in 0..<2 { #expect(elements { try call.run(opened) } == ["amount"], "\(call.name)") }
      try opened.elsewhere(Self.asBefore)
      #expect(elements { try call.run(opened) } == nil, "\(call.name)")
    }
  }

  @Test(arguments: [true, false]) func `another program changes a column's type: nothing is written`(isUsed: Bool) throws {
    for call in Self.writes {
      let opened = try Opened()
      if isUsed { _ = try call.run(opened) }
      try opened.elsewhere(Self.asNumber)
      let before = try opened.stored()
      for _ in 0..<2 { #expect(elements { try call.run(opened) } == ["amount"], "\(call.name)") }
      #expect(try opened.stored() == before, "\(call.name)")
      try opened.elsewhere(Self.asBefore)
      #expect(elements { try call.run(opened) } == nil, "\(call.name)")
    }
  }

  @Test func `own SQL changes it: within the transaction, on that connection and on the others`() throws {
    for call in Self.reads + Self.writes {
      let opened = try Opened()
      _ = try call.run(opened)
      try opened.factory.write { session in
        for sql in Self.asNumber { _ = try session.runtimeDAO(Self.price).execute(SQL(stringLiteral: sql)) }
        #expect(elements { try session.runtimeDAO(Self.price).findAll() } == ["amount"])
        #expect(elements { try session.runtimeDAO(Self.price).insert(opened.new) } == ["amount"])
      }
      #expect(elements { try call.run(opened) } == ["amount"], "\(call.name)")
      try opened.factory.write { session in
        for sql in Self.asBefore { _ = try session.runtimeDAO(Self.price).execute(SQL(stringLiteral: sql)) }
      }
      #expect(elements { try call.run(opened) } == nil, "\(call.name)")
    }
  }

  @Test func `a change that is rolled back is none, and the next that has its number is one`() throws {
    let opened = try Opened()
    struct Undo: Error {}
    _ = try opened.prices.insert(opened.new)
    #expect(throws: Undo.self) {
      try opened.factory.write { session in
        for sql in Self.asNumber { _ = try session.runtimeDAO(Self.price).execute(SQL(stringLiteral: sql)) }
        #expect(elements { try session.runtimeDAO(Self.price).find(1) } == ["amount"])
        throw Undo()
      }
    }
    #expect(try opened.prices.find(1)["amount"] == .decimal(0.18))
    _ = try opened.prices.insert(opened.new)

    // In a savepoint, and in the whole transaction: what fits then has the number that the other program's change gets.
    for isSavepoint in [true, false] {
      let opened = try Opened()
      func fitting(_ session: Session) throws {
        for sql in ["CREATE TABLE other (a)", "DROP TABLE other"] {
          _ = try session.runtimeDAO(Self.price).execute(SQL(stringLiteral: sql))
        }
        _ = try session.runtimeDAO(Self.price).insert(opened.new)
        throw Undo()
      }
      if isSavepoint {
        try opened.factory.write { session in
          #expect(throws: Undo.self) { try session.write { try fitting($0) } }
          for sql in Self.asNumber { _ = try session.runtimeDAO(Self.price).execute(SQL(stringLiteral: sql)) }
          #expect(elements { try session.runtimeDAO(Self.price).insert(opened.new) } == ["amount"])
        }
      } else {
        #expect(throws: Undo.self) { try opened.factory.write(fitting) }
        try opened.elsewhere(Self.asNumber)
        #expect(elements { try opened.prices.insert(opened.new) } == ["amount"])
      }
    }
  }

  @Test func `entities that the store was not opened with, and dynamic ones`() throws {
    let opened = try Opened(opensWith: [])
    let dynamic = try opened.factory.runtimeDAO("price")
    #expect(try dynamic.find(1)["amount"] == .decimal(0.18) && opened.prices.find(1)["amount"] == .decimal(0.18))
    try opened.elsewhere(Self.asNumber)
    for dao in [dynamic, opened.prices] {
      #expect(elements { try dao.find(1) } == ["amount"])
      #expect(elements { try dao.insert(opened.new) } == ["amount"])
    }
    #expect(try opened.factory.runtimeDAO("price").find(1)["amount"] == 18)
  }

  @Test(arguments: [true, false]) func `a column that is dropped is named; one that is added changes nothing`(isUsed: Bool) throws {
    for call in Self.reads + Self.writes where call.name != "own SQL" {
      let opened = try Opened()
      if isUsed { _ = try call.run(opened) }
      try opened.elsewhere(["ALTER TABLE price ADD COLUMN other INTEGER"])
      #expect(elements { try call.run(opened) } == nil, "\(call.name)")
      try opened.elsewhere(["ALTER TABLE price DROP COLUMN amount"])
      #expect(elements { try call.run(opened) } == ["amount"], "\(call.name)")
    }
  }

  @Test func `what names no dropped column runs, and fails for its own reasons`() throws {
    let opened = try Opened()
    _ = try opened.prices.execute(
      "INSERT INTO price (amount) WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 4999) SELECT n FROM n")
    let all = { (budget: RunBudget) in
      var criteria = SearchCriteria<DynamicEntity>.where { $0.id > 0 }
      criteria.criteria.budget = budget
      return try opened.prices.count(criteria)
    }
    #expect(try all(RunBudget(steps: 1_000_000)) == 5_000)
    try opened.elsewhere(["ALTER TABLE price DROP COLUMN amount"])
    #expect { try all(RunBudget(steps: 1_000)) } throws: {
      if case DAOError.budgetExceeded("price", _) = $0 { true } else { false }
    }
    #expect(try all(RunBudget(steps: 1_000_000)) == 5_000)
    #expect(try opened.prices.delete(.where { $0.id == 0 }) == 0)
    #expect(elements { try opened.prices.findAll() } == ["amount"])
    #expect(elements { try opened.prices.update(.where { $0.id == 1 }, set: .set("amount", to: Scalar.decimal(0.5))) } == ["amount"])
    try opened.elsewhere(["CREATE TRIGGER lost BEFORE DELETE ON price BEGIN DELETE FROM gone; END"])
    #expect { try opened.prices.delete(.where { $0.id == 0 }) } throws: {
      if case DAOError.engine(let failure) = $0 { failure.message.contains("no such table") } else { false }
    }
  }

  @Test func `own SQL reads the columns as they are now`() throws {
    let opened = try Opened()
    #expect(try opened.prices.query("SELECT * FROM price").map { $0["amount"] } == [.decimal(0.18)])
    try opened.elsewhere(["ALTER TABLE price DROP COLUMN amount", "ALTER TABLE price ADD COLUMN other INTEGER DEFAULT 5"])
    try opened.elsewhere(["ALTER TABLE price ADD COLUMN amount DECIMAL_INTEGER(2) NOT NULL DEFAULT 18"])
    #expect(try opened.prices.query("SELECT * FROM price").map { $0["amount"] } == [.decimal(0.18)])
  }

  @Test func `own SQL that SQLite compiles anew for its values is no change`() throws {
    let opened = try Opened()
    let pattern = "1%"
    #expect(try opened.prices.query("SELECT * FROM price WHERE amount LIKE \(pattern)").map { $0["amount"] } == [.decimal(0.18)])
    #expect(try opened.prices.query("SELECT id FROM price WHERE amount GLOB \("1*")") { try $0.next(Int64.self) } == [1])
  }

  @Test func `a query that is kept takes one statement, however often, and whatever is counted`() throws {
    let sent = StatementRecorder()
    let engine = try SQLiteEngine(inMemory: { database in
      for statement in try SchemaSQL.statements(for: [Self.price]) { try database.execute(sql: statement) }
      try database.execute(sql: "INSERT INTO price VALUES (1, 18)")
      database.trace { if case .statement(let statement) = $0 { sent.append(statement.sql, expanded: nil) } }
    })
    let prices = DAOFactory(over: EngineStore(engine)).runtimeDAO(Self.price)
    for round in 0..<2 {
      _ = try (prices.find(1), prices.findAll())
      let run = try sent.during { for _ in 0..<50 { _ = try (prices.find(1), prices.findAll()) } }
      #expect(run.texts.count == 100)
      _ = try prices.execute(SQL(stringLiteral: "CREATE TABLE other\(round) (a)"))
    }
    // A write asks for the schema's number first.
    let new = try prices.make(["amount": .decimal(1)])
    _ = try (prices.insert(new), prices.insert(new))
    #expect(try sent.during { try prices.insert(new) }.texts.count == 2)
    // Nor does it take more where a column is gone that it does not name.
    _ = try prices.execute("ALTER TABLE price DROP COLUMN amount")
    let delete = { try prices.delete(.where { $0.id == 0 }) }
    _ = try (delete(), delete())
    #expect(try sent.during { try delete() }.texts.count == 2)
  }
}
