import DAOKit
import Testing

/// The stores that a unit of work may be over.
enum UnitKind: CaseIterable {
  case memory, file

  /// A store with entities.
  func factory(_ entities: [EntityDescription]) throws -> DAOFactory {
    switch self {
    case .memory: try TestStore(entities).factory
    case .file: try OwnedFile(entities).factory
    }
  }

  /// A factory that keeps the file of its store.
  private final class OwnedFile: DAOFactory, @unchecked Sendable {
    private let file: FileStore

    init(_ entities: [EntityDescription]) throws {
      file = try FileStore(entities)
      super.init(over: file.factory.store)
    }

    var factory: DAOFactory { self }
  }
}

@Suite("A unit of work")
struct UnitOfWorkTests {
  private func zones(_ kind: UnitKind) throws -> DAOFactory {
    let factory = try kind.factory([Zone.entityDescription])
    try factory.runtimeDAO(Zone.self).insert(Zone.samples)
    return factory
  }

  @Test(arguments: UnitKind.allCases)
  func `its DAOs answer as if the edits were stored, and the store does not have them before the commit`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let (outside, work) = (factory.runtimeDAO(Zone.self), try factory.unitOfWork())
    let zones = work.runtimeDAO(Zone.self)
    #expect(try zones.count() == 6)
    var london = try zones.find(Zone.london)
    london.offset = 1
    #expect(try zones.update(london) == london)
    let tokyo = try zones.insert(Zone("Asia/Tokyo", 32400))
    #expect(try #require(tokyo.id) < 0)
    #expect(try zones.delete(Zone.minsk))
    #expect(try zones.update(.where(\.offset == 3600), set: [.set(\.comment, to: "CET")]) == 2)
    #expect(try zones.delete(.where(\.name == "Asia/Kolkata")) == 1)

    #expect(try zones.find(Zone.london).offset == 1)
    #expect(try zones.find(try #require(tokyo.id)) == tokyo)
    #expect(try zones.count() == 5)
    #expect(try !zones.exists(Zone.minsk))
    let names = ["America/New_York", "Asia/Tokyo", "Europe/Bratislava", "Europe/London", "Ärzte"]
    #expect(try zones.findAll(.all.order(by: \.name)).map(\.name) == names)
    #expect(try zones.findAll(.where(\.comment == "CET").order(by: \.id)).map(\.id) == [1, 6])
    #expect(
      try outside.findAll(.all.order(by: \.id)) == Zone.samples.enumerated().map { Zone(id: Int64($0 + 1), $1.name, $1.offset, $1.comment) }
    )

    let changes = try work.changes
    #expect(changes.rows.map(\.kind) == [.update, .insert, .delete, .update, .update, .delete])
    guard case .committed(let committed) = try work.commit() else {
      Issue.record("nothing was committed")
      return
    }
    #expect(try committed.of(Zone.self).inserted == [Zone(id: 7, "Asia/Tokyo", 32400)])
    #expect(try committed.of(Zone.self).deleted.map(\.name) == ["europe/minsk", "Asia/Kolkata"])
    #expect(
      try committed.of(Zone.self).updated.map { [$0.before.comment, $0.after.comment] } == [
        ["UTC in winter", "UTC in winter"], [nil, "CET"], ["ä", "CET"],
      ])
    #expect(try outside.findAll(.all.order(by: \.name)).map(\.name) == names)
    #expect(try outside.find(7).name == "Asia/Tokyo")
    #expect(try !work.hasChanges)
    guard case .nothingToDo = try work.commit() else {
      Issue.record("a unit without edits was committed")
      return
    }
  }

  @Test(arguments: UnitKind.allCases)
  func `keys of new rows are replaced wherever they are used`(kind: UnitKind) throws {
    let factory = try kind.factory(Atlas.entities)
    try Atlas.fill(factory)
    let work = try factory.unitOfWork()
    let towns = work.runtimeDAO(Town.self)
    // Children before their parents.
    let poprad = try towns.insert(Town("Poprad", 50, in: Reference("PL")))
    try work.runtimeDAO(NationLake.self).insert(NationLake("PL", 9))
    try work.runtimeDAO(Lake.self).insert(Lake(9, "Śniardwy"))
    try work.runtimeDAO(Nation.self).insert(Nation("PL", "Polska", neighbour: Reference("SK")))
    #expect(try towns.findAll(.where { $0.nation.name == "Polska" }) == [poprad])
    #expect(try work.runtimeDAO(Nation.self).find("PL", prefetch: \.lakes).lakes.get().map(\.name) == ["Śniardwy"])
    try work.commit()
    #expect(try factory.runtimeDAO(Town.self).findAll(.where { $0.nation.name == "Polska" }).map(\.id) == [4])
  }

  @Test(arguments: UnitKind.allCases)
  func `deletes cascade at once, and clear references`(kind: UnitKind) throws {
    let factory = try kind.factory(Atlas.entities)
    try Atlas.fill(factory)
    let work = try factory.unitOfWork()
    #expect(try work.runtimeDAO(Nation.self).delete("SK"))
    #expect(try work.runtimeDAO(Town.self).findAll().map(\.name) == ["Wien"])
    #expect(try work.runtimeDAO(NationLake.self).count() == 1)
    #expect(try work.runtimeDAO(Nation.self).find("AT").neighbour == nil)
    #expect(try factory.runtimeDAO(Town.self).count() == 3)
    #expect(try work.undo())
    #expect(try work.runtimeDAO(Town.self).count() == 3)
    #expect(try work.runtimeDAO(Nation.self).find("AT").neighbour == Reference("SK"))
    #expect(try !work.hasChanges)
    #expect(try work.redo())
    try work.commit()
    #expect(try factory.runtimeDAO(Town.self).findAll().map(\.name) == ["Wien"])
    #expect(try factory.runtimeDAO(NationLake.self).count() == 1)
    #expect(try factory.runtimeDAO(Nation.self).find("AT").neighbour == nil)
  }

  @Test(arguments: UnitKind.allCases)
  func `groups are undone and redone as one step each`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let work = try factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    func offsets() throws -> [Int] { try zones.findAll(.all.order(by: \.id)).map(\.offset) }
    let start = try offsets()
    try work.group("winter") {
      try zones.update(.all, set: [.set(\.offset, to: 0)], allowUnfiltered: true)
      try zones.delete(Zone.doctors)
    }
    let winter = try offsets()
    #expect(winter == [0, 0, 0, 0, 0])
    try zones.insert(Zone("Asia/Tokyo", 9))
    #expect(try work.undoNames == [nil, "winter"])
    #expect(try work.undo())
    #expect(try offsets() == winter)
    #expect(try work.undo())
    #expect(try offsets() == start)
    #expect(try !work.undo())
    #expect(try !work.hasChanges)
    #expect(try work.redoNames == ["winter", nil])
    #expect(try work.redo())
    #expect(try offsets() == winter)
    #expect(try work.redo())
    #expect(try zones.count(.where(\.name == "Asia/Tokyo")) == 1)
    #expect(try !work.redo())
    #expect(try work.undo())
    try zones.insert(Zone("Asia/Seoul", 9))
    #expect(try !work.redo())
    // A group that throws leaves nothing behind.
    struct GivenUp: Error {}
    #expect(throws: GivenUp.self) {
      try work.group("summer") {
        try zones.delete(.all, allowUnfiltered: true)
        throw GivenUp()
      }
    }
    #expect(try zones.count() == 6)
    try work.limitUndo(to: 1)
    #expect(try work.undoNames == [nil])
    try work.rollback()
    #expect(try offsets() == start)
    #expect(try work.undoNames.isEmpty)
  }

  @Test(arguments: UnitKind.allCases)
  func `a row that somebody changed since it was read is a conflict, and the policy settles it`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let outside = factory.runtimeDAO(Zone.self)
    func work() throws -> UnitOfWork {
      try outside.update(Zone(id: Zone.london, "Europe/London", 0, "UTC in winter"))
      let work = try factory.unitOfWork()
      let zones = work.runtimeDAO(Zone.self)
      var london = try zones.find(Zone.london)
      // Between the read and the edit.
      try outside.update(Zone(id: Zone.london, "Europe/London", 5, "UTC in winter"))
      london.comment = "GMT"
      try zones.update(london)
      return work
    }
    do {
      try work().commit()
      Issue.record("there was no conflict")
    } catch DAOError.conflict(let conflict) {
      #expect(conflict.entity == "zone")
      #expect(conflict.key == [2])
      #expect(conflict.base?["offset"] == 0)
      #expect(conflict.mine?["comment"] == "GMT")
      #expect(conflict.theirs?["offset"] == 5)
    }
    func stored(_ policy: ConflictPolicy) throws -> [String] {
      let work = try work()
      try work.commit(resolving: policy)
      let row = try outside.find(Zone.london)
      return ["\(row.offset)", row.comment ?? "nil"]
    }
    #expect(try stored(.keepMine) == ["0", "GMT"])
    #expect(try stored(.takeTheirs) == ["5", "UTC in winter"])
    #expect(try stored(.byAttribute) == ["5", "GMT"])
    #expect(try stored(.decide { _ in .values(["offset": 7]) }) == ["7", "UTC in winter"])
    #expect(try stored(.decide { $0.attributes == ["comment", "offset"] ? .byAttribute : .refuse }) == ["5", "GMT"])

    // The unit stays as it was, and is committed after a refresh.
    let refused = try work()
    #expect(throws: DAOError.self) { try refused.commit() }
    #expect(try refused.runtimeDAO(Zone.self).find(Zone.london).comment == "GMT")
    #expect(try refused.preview().conflicts.count == 1)
    try refused.refresh(keeping: .mine)
    #expect(try refused.preview().isClean)
    try refused.commit()
    #expect(try outside.find(Zone.london) == Zone(id: 2, "Europe/London", 5, "GMT"))
  }

  @Test(arguments: UnitKind.allCases)
  func `unique values may be exchanged, and taken from rows that go`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let work = try factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    try zones.update([Zone(id: 1, "Europe/London", 1), Zone(id: 2, "Europe/Bratislava", 2)])
    try zones.insert(Zone("Asia/Kolkata", 3))
    try zones.delete(Zone.kolkata)
    #expect(try work.preview().isClean)
    try work.commit()
    let names = ["Europe/London", "Europe/Bratislava", "America/New_York", "europe/minsk", "Ärzte", "Asia/Kolkata"]
    #expect(try factory.runtimeDAO(Zone.self).findAll(.all.order(by: \.id)).map(\.name) == names)
  }

  @Test(arguments: UnitKind.allCases)
  func `constraints are checked by preview and commit, after which the unit is corrected and committed again`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let work = try factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    let twin = try zones.insert(Zone("Europe/London", 9))
    #expect(try zones.count(.where(\.name == "Europe/London")) == 2)
    guard case .constraint(.unique, "zone", ["name"], _)? = try work.preview().problem else {
      Issue.record("\(try work.preview())")
      return
    }
    #expect(throws: DAOError.self) { try work.commit() }
    #expect(try factory.runtimeDAO(Zone.self).count() == 6)
    try zones.update(Zone(id: twin.id, "Europe/Dublin", 9))
    let preview = try work.preview()
    #expect(preview.statements.map(\.sql) == [#"INSERT INTO "zone" ("id", "name", "offset", "comment") VALUES (?, ?, ?, ?)"#])
    #expect(preview.statements.first?.values == [7, "Europe/Dublin", 9, .null])
    #expect(preview.description == "insert zone -1")
    #expect(try factory.runtimeDAO(Zone.self).count() == 6)
    try work.commit()
    #expect(try factory.runtimeDAO(Zone.self).find(7).name == "Europe/Dublin")
  }

  @Test(arguments: UnitKind.allCases)
  func `a child follows its parent and commits into it as one step`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let parent = try factory.unitOfWork()
    let child = parent.child()
    let (above, below) = (parent.runtimeDAO(Zone.self), child.runtimeDAO(Zone.self))
    try above.update(Zone(id: 1, "Europe/Bratislava", 1))
    #expect(try below.find(1).offset == 1)
    let tokyo = try above.insert(Zone("Asia/Tokyo", 9))
    try below.update(Zone(id: tokyo.id, "Asia/Tokyo", 10))
    try below.delete(2)
    let seoul = try below.insert(Zone("Asia/Seoul", 9))
    #expect(seoul.id != tokyo.id)
    #expect(try above.count() == 7)
    #expect(try below.count() == 7)
    #expect(try child.changes.rows.map(\.kind) == [.update, .delete, .insert])
    try child.commit()
    #expect(try !child.hasChanges)
    #expect(try above.find(try #require(tokyo.id)).offset == 10)
    #expect(try above.findAll(.all.order(by: \.name)) == below.findAll(.all.order(by: \.name)))
    #expect(try parent.undo())
    #expect(try above.find(try #require(tokyo.id)).offset == 9)
    #expect(try above.exists(2))
    #expect(try below.exists(2))
    #expect(try parent.redo())
    // A row that both have edited.
    try below.update(Zone(id: 3, "Asia/Kolkata", 33))
    try above.update(Zone(id: 3, "Asia/Kolkata", 44))
    #expect(throws: DAOError.self) { try child.commit() }
    try child.commit(resolving: .keepMine)
    #expect(try above.find(3).offset == 33)
    try parent.commit()
    #expect(try factory.runtimeDAO(Zone.self).findAll(.all.order(by: \.id)).map(\.offset) == [1, 33, -18000, 10800, 3600, 10, 9])
  }

  @Test(arguments: UnitKind.allCases)
  func `a commit ends the steps, where all was undone too`(kind: UnitKind) throws {
    let factory = try zones(kind)
    let work = try factory.unitOfWork()
    let child = work.child()
    for unit in [work, child] {
      try unit.runtimeDAO(Zone.self).delete(Zone.minsk)
      #expect(try unit.undo())
      guard case .nothingToDo = try unit.commit() else {
        Issue.record("an undone edit is committed")
        return
      }
      #expect(try unit.redoNames.isEmpty && !unit.redo())
      #expect(try unit.runtimeDAO(Zone.self).exists(Zone.minsk))
    }
  }
}
