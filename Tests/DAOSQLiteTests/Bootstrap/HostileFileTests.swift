import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Journals that name other files, pipes, links and folders under the names that SQLite and the library keep beside a database.
@Suite("Hostile files beside a database")
struct HostileFileTests {
  private static let template = Result { try HostileWorld() }

  /// SQLite would delete the file.
  @Test(arguments: HostileWorld.uses.indices)
  func `a journal that names another file is refused, and says so`(index: Int) throws {
    let use = HostileWorld.uses[index]
    let world = try HostileWorld(Self.template.get())
    let journal = use.subject + "-journal"
    let size = try Files.status(world.url(use.subject).path)?.size ?? 0
    try world.put(.journal, as: journal, pages: Int(size / 4096))
    let before = (world.others(than: use.subject), [use.subject, journal].map { HostileWorld.state(world.place + "/" + $0) })
    let error = try world.run { try use.run(world) }
    #expect(world.others(than: use.subject) == before.0, "\(use.name), \(use.subject)")
    guard use.readsJournal else { return }
    guard case DAOError.bootstrap(let problem)? = error else {
      Issue.record("\(use.name), \(use.subject): \(error.map { "\($0)" } ?? "not refused")")
      return
    }
    #expect(problem.kind == .foreignJournal && problem.message.contains(world.victim), "\(use.name), \(use.subject): \(problem)")
    #expect([use.subject, journal].map { HostileWorld.state(world.place + "/" + $0) } == before.1, "\(use.name), \(use.subject)")
  }

  @Test(arguments: HostileWorld.uses.indices)
  func `nothing outside of the database's own names is made, changed or removed, and nobody waits at a pipe`(index: Int) throws {
    let use = HostileWorld.uses[index]
    let isMissing = use.subject == "new.sqlite"
    var count = 0
    var random = Chaos.source(index)
    for suffix in (HostileWorld.suffixes + (isMissing ? [""] : [])).shuffled(using: &random).prefix(Chaos.isAsked ? .max : 2) {
      for thing in HostileWorld.Thing.allCases.shuffled(using: &random).prefix(Chaos.count(quick: 1, full: 6)) {
        let world = try HostileWorld(Self.template.get())
        try world.put(thing, as: use.subject + suffix)
        let before = world.others(than: use.subject)
        let what = "\(use.name), \(use.subject)\(suffix) as a \(thing)"
        do {
          let error = try world.run { try use.run(world) }
          #expect(error == nil || error is DAOError || error is SeedPacker.Failure, "\(what): \(error.map { "\($0)" } ?? "")")
        } catch { Issue.record("\(what): \(error)") }
        #expect(world.others(than: use.subject) == before, "\(what)")
        count += 1
      }
    }
    Chaos.tell("hostile files", use.name, count)
  }

  /// A store that is open opens connections when it needs them, and its user's own SQL attaches what it likes.
  @Test func `a connection that comes later, or is attached by own SQL, refuses such a journal too`() throws {
    let world = try HostileWorld(Self.template.get())
    let engine = try SQLiteEngine(opening: world.url("wal.sqlite"))
    let sizes = try ["wal.sqlite", "saved.sqlite"].map { try Files.status(world.url($0).path)?.size ?? 0 }
    try world.put(.journal, as: "wal.sqlite-journal", pages: Int(sizes[0] / 4096))
    try world.put(.journal, as: "saved.sqlite-journal", pages: Int(sizes[1] / 4096))
    let before = world.others(than: "wal.sqlite")
    #expect(problem { try engine.read(snapshot: false) { try $0.rows(SQLStatement("SELECT 1 FROM item")) } }?.kind == .foreignJournal)
    #expect(throws: DAOError.self) {
      try engine.write(atomic: false) { connection in
        _ = try connection.rows(SQLStatement("ATTACH DATABASE '\(world.url("saved.sqlite").path)' AS other"))
        _ = try connection.rows(SQLStatement("SELECT * FROM other.item"))
      }
    }
    #expect(world.others(than: "wal.sqlite") == before)
  }

  #if os(Linux)
    /// Of a transaction over two files that was cut off before its end.
    @Test func `a journal that SQLite has left with its super-journal is refused, and SQLite itself can end it`() throws {
      let template = try HostileWorld(Self.template.get())
      let sql = """
        ATTACH DATABASE '%/next.sqlite' AS other;
        BEGIN; UPDATE item SET name = name || ' changed'; UPDATE other.item SET name = name || ' changed'; COMMIT
        """
      var kinds: Set<Bool> = []
      for call in 1...60 {
        let world = try HostileWorld(template)
        let shim = [
          "LD_PRELOAD": try Shim.library.get(), "DAO_SHIM_ROOT": world.place, "DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": "before",
        ]
        let statements = sql.replacing("%", with: world.place)
        let end = try Child.run("/usr/bin/sqlite3", [world.url("saved.sqlite").path, statements], environment: shim)
        if !end.wasKilled { break }
        let names = try FileManager.default.contentsOfDirectory(atPath: world.place)
        let before = snapshot(world.place)
        let refusal = problem { try bootstrapper(nil).bootstrap(world.url("saved.sqlite")) }
        guard refusal?.kind == .foreignJournal else { continue }
        #expect(snapshot(world.place) == before)
        // Once it is gone, the transaction counts as committed.
        let superJournal = names.first { $0.contains("-mj") }
        #expect(superJournal.map { refusal?.message.contains($0) } != false, "\(refusal as Any)")
        for name in ["saved.sqlite", "next.sqlite"] {
          let changed = try Child.run("/usr/bin/sqlite3", [world.url(name).path, "SELECT count(*) FROM item WHERE name LIKE '% changed'"])
          #expect(changed.output == (superJournal == nil ? "120\n" : "0\n"))
        }
        kinds.insert(superJournal == nil)
        #expect(try bootstrapper(nil).requiresMigration(world.url("saved.sqlite")) == false)
      }
      #expect(kinds.count == 2)
    }
  #endif

  @Test func `links, folders and pipes are refused as files, and a refusal closes what it has opened`() throws {
    let world = try HostileWorld(Self.template.get())
    let path = world.place + "/thing"
    for thing in HostileWorld.Thing.allCases where thing != .journal {
      try world.put(thing, as: "thing")
      for flags in [O_RDONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY] {
        #expect(problem { _ = try OpenFile(path, flags) }?.kind == .notAFile || thing == .pipe && flags == O_WRONLY, "\(thing)")
        #if os(Linux)
          for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) != path, "\(thing)")
          }
        #endif
      }
    }
  }
}
