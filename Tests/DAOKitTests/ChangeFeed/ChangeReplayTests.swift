import CriteriaTesting
import DAOKit
import TestCases
import Testing

/// Random commits over tables of every kind, followed on a copy.
@Suite("A copy that follows the feed")
struct ChangeReplayTests {
  static let schema = """
    CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT UNIQUE, number INTEGER CHECK (number < 90));
    CREATE TABLE named (name TEXT NOT NULL PRIMARY KEY, value ANY) WITHOUT ROWID;
    CREATE TABLE pair (value TEXT, a INTEGER NOT NULL, b TEXT NOT NULL, doubled AS (a * 2), PRIMARY KEY (b, a));
    CREATE TABLE child (
      id INTEGER PRIMARY KEY, plain INTEGER REFERENCES plain ON DELETE CASCADE ON UPDATE CASCADE, note TEXT,
      name TEXT REFERENCES named ON DELETE SET NULL ON UPDATE CASCADE);
    CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
    CREATE TABLE mark (id INTEGER PRIMARY KEY);
    CREATE TRIGGER gone AFTER DELETE ON child BEGIN INSERT INTO log (what) VALUES (old.note); END;
    CREATE TRIGGER guard BEFORE UPDATE ON pair WHEN new.value = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END;
    """

  typealias Row = [Scalar]

  /// The rows of all tables, by their keys.
  struct Copy {
    var tables: [String: [Row: Row]] = [:]
    /// How often an entity was followed, and how often it was read again.
    private(set) var followed = 0
    private(set) var reloaded = 0

    init(_ factory: DAOFactory, _ entities: [EntityDescription]) throws {
      for entity in entities {
        let rows = try factory.runtimeDAO(entity).findAll()
        tables[entity.name] = Dictionary(uniqueKeysWithValues: rows.map { ($0.primaryKey ?? [], $0.values) })
      }
    }

    /// Takes over what a commit has changed, and checks that it says what it did.
    mutating func follow(_ changes: ChangeSet, _ factory: DAOFactory, _ entities: [EntityDescription], mayReload: Bool) throws {
      for entity in entities {
        let set = changes[entity]
        let dao = factory.runtimeDAO(entity)
        followed += set.isEmpty ? 0 : 1
        if set.needsReload {
          #expect(mayReload)
          reloaded += 1
          tables[entity.name] = Dictionary(uniqueKeysWithValues: try dao.findAll().map { ($0.primaryKey ?? [], $0.values) })
          continue
        }
        for key in set.inserted {
          #expect(tables[entity.name]?[key] == nil)
          tables[entity.name]?[key] = try dao.find(key).values
        }
        for (key, attributes) in zip(set.updated, set.updatedAttributes ?? set.updated.map { _ in [] }) {
          let before = try #require(tables[entity.name]?[key])
          let after = try dao.find(key).values
          let changed = Set(entity.attributes.indices.filter { before[$0] != after[$0] }.map { entity.attributes[$0].name })
          #expect(set.updatedAttributes == nil || attributes.isSuperset(of: changed), "\(entity.name) \(key)")
          tables[entity.name]?[key] = after
        }
        for key in set.deleted {
          #expect(tables[entity.name]?.removeValue(forKey: key) != nil)
        }
      }
    }
  }

  static func statement(_ random: inout RandomSource) -> SQL {
    let key = random.below(12)
    let other = random.below(12)
    let name = "n\(random.below(8))"
    let text = "t\(random.below(10))"
    let orReplace: SQL = random.pick(["", "OR REPLACE", "OR IGNORE", ""])
    switch random.below(22) {
    case 0...3: return "INSERT \(orReplace) INTO plain (id, text, number) VALUES (\(key), \(text), \(random.below(100)))"
    case 4: return "INSERT INTO plain (text, number) SELECT text || id, number FROM plain WHERE id < \(key)"
    case 5: return "UPDATE \(orReplace) plain SET id = \(other) WHERE id = \(key)"
    case 6: return "UPDATE plain SET number = number + \(random.below(20)) WHERE id > \(key)"
    case 7: return "UPDATE plain SET number = number WHERE id > \(key)"
    case 8: return "DELETE FROM plain WHERE id BETWEEN \(key) AND \(key + 2)"
    case 9...10: return "INSERT \(orReplace) INTO named (name, value) VALUES (\(name), \(key))"
    case 11: return "UPDATE \(orReplace) named SET name = \("n\(random.below(8))"), value = value || 'x' WHERE name = \(name)"
    case 12: return "DELETE FROM named WHERE name = \(name)"
    case 13...14: return "INSERT \(orReplace) INTO pair (a, b, value) VALUES (\(key), \(name), \(text))"
    case 15: return "UPDATE pair SET value = \(random.pick(["refused", "a", "b"])) WHERE a > \(key)"
    case 16: return "UPDATE \(orReplace) pair SET a = \(other), b = \(name) WHERE a = \(key)"
    case 17: return random.pick(["DELETE FROM pair", "DELETE FROM child", "DELETE FROM log", "DELETE FROM plain"])
    case 18...19: return "INSERT INTO child (plain, note, name) VALUES (\(key), \(text), \(name))"
    case 20: return "UPDATE child SET note = \(text), plain = \(key) WHERE id % 3 = \(random.below(3))"
    default: return "DELETE FROM child WHERE note = \(text)"
    }
  }

  @Test(arguments: TestCases.seeds(40, inSuite: 3), [(false, false), (true, false), (false, true), (true, true)])
  func `is the same store after each commit, and nothing is reported of what is rolled back`(
    seed: UInt64, form: (attributes: Bool, byTriggers: Bool)
  ) async throws {
    var random = RandomSource(seed: seed)
    let factory = try TestStore([], sql: Self.schema, notesByTriggers: form.byTriggers).factory
    let entities = try factory.store.entities()
    let mark = try #require(entities.first { $0.name == "mark" })
    let dao = factory.runtimeDAO(mark)
    var copy = try Copy(factory, entities)
    var changes = try factory.changes(of: entities, attributes: form.attributes).makeAsyncIterator()
    for round in 0..<TestCases.count(400, inSuite: 120) {
      Self.commit(factory, mark, &random)
      try syncly { try dao.execute("INSERT INTO mark (id) VALUES (\(round))") }
      // Those before the mark, which is a commit of its own, are of the same state of the store.
      repeat {
        let set = try #require(await changes.next())
        try copy.follow(set, factory, entities, mayReload: form.byTriggers)
        if set[mark].inserted == [[.integer(Int64(round))]] { break }
      } while true
      let now = try Copy(factory, entities)
      #expect(copy.tables == now.tables, "round \(round)")
    }
    // Only what may have REPLACEd rows.
    #expect(copy.reloaded * 3 < copy.followed)
  }

  private static func commit(_ factory: DAOFactory, _ entity: EntityDescription, _ random: inout RandomSource) {
    if random.once(in: 3) {
      _ = try? factory.runtimeDAO(entity).execute(statement(&random))
    } else {
      try? factory.write { session in try transaction(session, entity, &random) }
    }
  }

  /// Some statements, errors of which are passed over, some of them in savepoints; a part of them is rolled back.
  private static func transaction(_ session: Session, _ entity: EntityDescription, _ random: inout RandomSource) throws {
    struct Stop: Error {}
    let dao = session.runtimeDAO(entity)
    for _ in 0...random.below(6) {
      guard random.once(in: 4) else {
        _ = try? dao.execute(statement(&random))
        continue
      }
      try? session.write { inner in
        let dao = inner.runtimeDAO(entity)
        _ = try? dao.execute(statement(&random))
        _ = try dao.execute(statement(&random))
        if random.once(in: 3) { throw Stop() }
      }
    }
    if random.once(in: 5) { throw Stop() }
  }
}
