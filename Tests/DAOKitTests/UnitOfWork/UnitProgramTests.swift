import DAOKit
import TestCases
import Testing

/// Random programs over tables with foreign keys of every action: in a unit and its commit they do what they do in a store.
@Suite("Programs in a unit of work")
struct UnitProgramTests {
  /// Tables whose foreign keys have random actions; what is in a key is followed, or keeps what it points to from moving.
  private static func schema(_ random: inout RandomSource) -> String {
    func actions(_ known: String...) -> String { "ON UPDATE \(random.pick(known)) ON DELETE \(random.pick(known))" }
    func any() -> String { actions("CASCADE", "CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION") }
    return """
      CREATE TABLE room (code TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, size INTEGER) WITHOUT ROWID;
      CREATE TABLE desk (
        id INTEGER PRIMARY KEY, room TEXT DEFAULT 'hall' COLLATE NOCASE REFERENCES room \(any()),
        tag TEXT UNIQUE, beside INTEGER REFERENCES desk \(any()), twice AS (id * 2));
      CREATE TABLE thing (
        desk INTEGER NOT NULL REFERENCES desk \(actions("CASCADE", "CASCADE", "RESTRICT", "NO ACTION")), place INTEGER NOT NULL, what,
        PRIMARY KEY (desk, place));
      CREATE TABLE label (id INTEGER PRIMARY KEY, tag TEXT REFERENCES desk (tag) \(any()));
      CREATE TABLE other (id INTEGER PRIMARY KEY);
      INSERT INTO room VALUES ('hall', 1), ('attic', 2), ('cellar', 3);
      INSERT INTO desk (id, room, tag, beside)
      VALUES (1, 'attic', 'a', NULL), (2, 'ATTIC', 'b', 1), (3, 'cellar', 'c', 2), (4, 'hall', NULL, NULL);
      INSERT INTO thing VALUES (1, 1, 'x'), (1, 2, 'y'), (2, 1, 2.5), (3, 3, NULL);
      INSERT INTO label VALUES (1, 'a'), (2, 'b'), (3, NULL)
      """
  }

  private static let questions: [SQL] = [
    "SELECT code || size FROM room ORDER BY code",
    "SELECT id || '|' || ifnull(room, '-') || '|' || ifnull(tag, '-') || '|' || ifnull(beside, '-') || '|' || twice FROM desk ORDER BY id",
    "SELECT desk || '|' || place || '|' || quote(what) FROM thing ORDER BY desk, place",
    "SELECT id || ifnull(tag, '-') FROM label ORDER BY id",
    """
    SELECT d.id || '|' || ifnull(r.size, '-') || '|' || count(t.place) FROM desk d LEFT JOIN room r ON r.code = d.room
    LEFT JOIN thing t ON t.desk = d.id GROUP BY d.id ORDER BY d.id DESC
    """,
  ]

  /// A change that a store makes at once.
  private enum Step: CustomStringConvertible {
    case sql(String)
    case insert(String, [String: Scalar])
    /// Two rows that take each other's value, by a third value.
    case exchange(table: String, column: String, one: String, other: String, meanwhile: String)

    var description: String {
      switch self {
      case .sql(let sql): sql
      case .insert(let table, let values): "insert \(table) \(values.sorted { $0.key < $1.key })"
      case .exchange(let table, let column, let one, let other, _): "exchange \(table).\(column): \(one), \(other)"
      }
    }

    init(_ random: inout RandomSource) {
      func id() -> Int64 { Int64(1 + random.below(6)) }
      func room() -> String { random.pick(["hall", "attic", "cellar", "ATTIC", "loft"]) }
      func tag() -> String? { random.pick(["a", "b", "c", "d", "e", nil]) }
      func literal(_ text: String?) -> String { text.map { "'\($0)'" } ?? "NULL" }
      switch random.below(18) {
      case 0: self = .sql("UPDATE room SET code = '\(room())' WHERE code = '\(room())'")
      case 1: self = .sql("DELETE FROM room WHERE code = '\(room())'")
      case 2: self = .insert("room", ["code": .text(room()), "size": .integer(id())])
      case 3: self = .sql("UPDATE desk SET room = '\(room())' WHERE id > \(id())")
      case 4...5: self = .sql("UPDATE desk SET tag = \(literal(tag())) WHERE id = \(id())")
      case 6: self = .sql("DELETE FROM desk WHERE id = \(id())")
      case 7:
        let beside = random.below(8)
        self = .insert(
          "desk",
          [
            "id": .integer(id()), "room": .text(room()), "tag": tag().map { .text($0) } ?? .null,
            "beside": beside < 6 ? .integer(Int64(beside + 1)) : .null,
          ])
      case 8: self = .sql("UPDATE desk SET beside = \(id()) WHERE id = \(id())")
      case 9: self = .sql("UPDATE desk SET id = \(id() + 2) WHERE id = \(id())")
      case 10: self = .sql("DELETE FROM thing WHERE desk = \(id()) OR place = \(id())")
      case 11: self = .insert("thing", ["desk": .integer(id()), "place": .integer(id()), "what": .text("new")])
      // One row: which of several is the first is the store's own choice.
      case 12: self = .sql("UPDATE thing SET place = place + \(id()) WHERE desk = \(id()) AND place = \(id())")
      case 13: self = .exchange(table: "room", column: "code", one: literal(room()), other: literal(room()), meanwhile: "'-'")
      case 14: self = .exchange(table: "desk", column: "id", one: "\(id())", other: "\(id())", meanwhile: "99")
      case 15: self = .exchange(table: "desk", column: "tag", one: literal(tag()), other: literal(tag()), meanwhile: "'-'")
      case 16: self = .exchange(table: "thing", column: "place", one: "\(id())", other: "\(id())", meanwhile: "99")
      default: self = .sql("UPDATE label SET tag = \(literal(tag())) WHERE id = \(id())")
      }
    }

    func run(_ entities: [String: EntityDescription], _ maker: some DAOMaker) throws {
      switch self {
      case .sql(let sql): if let entity = entities["desk"] { try maker.runtimeDAO(entity).execute(SQL(stringLiteral: sql)) }
      case .insert(let table, let values):
        if let entity = entities[table] { try maker.runtimeDAO(entity).insert(maker.runtimeDAO(entity).make(values)) }
      case .exchange(let table, let column, let one, let other, let meanwhile):
        guard let entity = entities[table] else { return }
        for (value, new) in [(one, meanwhile), (other, one), (meanwhile, other)] {
          try maker.runtimeDAO(entity).execute(SQL(stringLiteral: "UPDATE \(table) SET \(column) = \(new) WHERE \(column) = \(value)"))
        }
      }
    }
  }

  private static func state(_ dao: RuntimeDAO<DynamicEntity>) throws -> [[String]] {
    try questions.map { question in try dao.query(question) { try $0.next() } }
  }

  private func run(_ seed: UInt64) throws -> Int {
    var random = RandomSource(seed: seed)
    let schema = Self.schema(&random)
    let (plain, factory) = (try TestStore([], sql: schema).factory, try TestStore([], sql: schema).factory)
    let entities = Dictionary(uniqueKeysWithValues: try factory.store.entities().map { ($0.name, $0) })
    guard let desk = entities["desk"] else { throw TestCases.Difference("there is no desk") }
    let outer = try factory.unitOfWork()
    let isChild = random.once(in: 3)
    let work = isChild ? outer.child() : outer
    let before = try Self.state(factory.runtimeDAO(desk))
    var done: [String] = []
    func check(_ what: String, _ dao: RuntimeDAO<DynamicEntity>, _ expected: [[String]]) throws {
      let found = try Self.state(dao)
      if found == expected { return }
      throw TestCases.Difference("\(schema)\n\(what)\nafter \(done.joined(separator: "\n"))\nhas \(found)\nnot \(expected)")
    }
    for _ in 0..<2 + random.below(8) {
      let step = Step(&random)
      // What a store refuses at once, a unit may refuse only with its commit.
      do { try plain.write { try step.run(entities, $0) } } catch { continue }
      done.append("\(step)")
      do { try work.group { try step.run(entities, work) } } catch {
        throw TestCases.Difference("\(error) after \(done.joined(separator: "\n"))")
      }
      try check("the unit", work.runtimeDAO(desk), Self.state(plain.runtimeDAO(desk)))
    }
    let after = try Self.state(plain.runtimeDAO(desk))
    if random.once(in: 2) {
      while try work.undo() {}
      try check("the unit, all undone", work.runtimeDAO(desk), before)
      while try work.redo() {}
      try check("the unit, all done again", work.runtimeDAO(desk), after)
    }
    if random.once(in: 3) { try check("a unit in it", work.child().runtimeDAO(desk), after) }
    // Somebody else's commit has each row compared with the store.
    if random.once(in: 2) { try factory.runtimeDAO(desk).execute("INSERT INTO other VALUES (1)") }
    do {
      try work.commit()
      if isChild { try outer.commit() }
    } catch { throw TestCases.Difference("\(schema)\nthe commit: \(error)\nafter \(done.joined(separator: "\n"))") }
    try check("the store", factory.runtimeDAO(desk), after)
    return done.count
  }

  @Test func `do what they do in a store`() {
    let (counts, difference) = TestCases.concurrently(TestCases.seeds(5_000, inSuite: 300)) { try run($0) }
    if let difference { Issue.record(Comment(rawValue: difference)) }
    #expect(counts.reduce(0, +) > counts.count)
  }
}
