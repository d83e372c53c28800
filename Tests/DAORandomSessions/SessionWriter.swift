import DAOKit
import Foundation
import TestCases

/// One of those who write to a store side by side: it has rows of its own, of which it knows how they have to be, and changes rows that it
/// shares with the others, where it may fail.
final class SessionWriter: @unchecked Sendable {
  /// The owner of the rows that all writers change.
  static let everybody = 0

  private struct Stop: Error {}

  let owner: Int
  private let factory: DAOFactory
  private var random: RandomSource
  private var model = Model()
  private var unit: OpenUnit?
  private var labels = 0
  /// What it did, for a report, and how often.
  private var log: [String] = []
  private(set) var counts: [String: Int] = [:]

  init(_ owner: Int, _ factory: DAOFactory, seed: UInt64) {
    self.owner = owner
    self.factory = factory
    random = RandomSource(seed: seed)
  }

  /// Does something, and looks whether its rows are as they have to be.
  func step() throws {
    do {
      switch random.below(10) {
      case 0: try factory.write { try editShared($0, "shared") }
      case 1...5 where unit != nil: try stepInUnit()
      case 6...7 where unit == nil: try stepInUnit()
      case 1...2 where unit == nil: try editDirectly()
      case 3 where unit == nil: try editStale()
      case 4 where unit == nil: try meetConflict()
      case 8:
        note("read", "reads")
        if let inner = unit?.innermost {
          try inner.model.checkReads(inner.work, of: owner)
        } else {
          try factory.read { try model.checkReads($0, of: owner) }
        }
      default: try unit == nil ? runSession() : stepInUnit()
      }
    } catch {
      throw TestCases.Difference("writer \(owner), \(error)\nafter:\n\(log.suffix(25).joined(separator: "\n"))")
    }
  }

  /// Ends what is open: the unit is committed, or rolled back where others are in its way.
  func finish() throws {
    while let unit, unit.child != nil { try unit.commitChild() }
    if unit != nil { try commit(leaving: false) }
    try check()
  }

  func note(_ text: String, _ kind: String) {
    log.append(text)
    counts[kind, default: 0] += 1
  }

  private func label() -> String {
    labels += 1
    return "\(owner)/\(labels)"
  }

  /// Whether its rows in the store are those of the model.
  private func check() throws {
    let rows = try factory.read { try Model($0, of: owner) }
    if rows != model { throw TestCases.Difference("in the store:\n\(rows.differences(from: model))") }
  }

  // MARK: Writes without a unit

  private func editDirectly() throws {
    let edit = Edit.random(model, label: label(), canReplace: true, &random)
    note("\(edit)", "edits")
    try edit.apply(factory, of: owner, &random)
    edit.apply(to: &model)
    try check()
  }

  /// A transaction, some of it in savepoints, all or some of which is rolled back.
  private func runSession() throws {
    note("session", "sessions")
    let before = model
    do {
      try factory.write { session in
        for _ in 0...random.below(4) {
          let outer = model
          do {
            try session.write { inner in
              for _ in 0...random.below(2) { try edit(in: inner) }
              if random.once(in: 4) { throw Stop() }
            }
          } catch is Stop {
            note("savepoint rolled back", "savepoints rolled back")
            model = outer
          }
          try edit(in: session)
        }
        if random.once(in: 3) { try editShared(session, "shared in the session") }
        let rows = try Model(session, of: owner)
        if rows != model { throw TestCases.Difference("in the session:\n\(rows.differences(from: model))") }
        if random.once(in: 4) { throw Stop() }
      }
    } catch is Stop {
      note("session rolled back", "sessions rolled back")
      model = before
    } catch  where Self.isDeclared(error) {
      note("session refused: \(error)", "sessions refused")
      model = before
    }
    try check()
  }

  private func edit(in session: Session) throws {
    let edit = Edit.random(model, label: label(), canReplace: true, &random)
    note("  \(edit)", "edits")
    try edit.apply(session, of: owner, &random)
    edit.apply(to: &model)
  }

  /// An entity that was read before it was changed: its write is refused.
  private func editStale() throws {
    guard let (label, row) = model.rows[1].randomElement(using: &random) else { return }
    let books = factory.items(Book.self)
    guard var stale = try books.labelled(label) else { throw TestCases.Difference("\(label) is not found") }
    let number = row.number + 1
    note("\(label) changed to \(number), and again by who has read it before", "stale writes")
    try books.update(.where { $0.label == label }, set: .set(\.number, to: number))
    model.rows[1][label]?.number = number
    stale.number = -1
    do {
      switch random.below(3) {
      case 0: try books.update(stale)
      case 1: try books.save(stale)
      default: try books.delete(stale)
      }
      throw TestCases.Difference("a stale write is done")
    } catch DAOError.conflict(let conflict) {
      if conflict.theirs?["number"] != .integer(Int64(number)) { throw TestCases.Difference("\(conflict)") }
    }
    try check()
  }

  /// A row that somebody else changes while a unit has an edit of it.
  private func meetConflict() throws {
    guard let (label, row) = model.rows[2].randomElement(using: &random) else { return }
    note("conflict over \(label)", "conflicts")
    let work = try factory.unitOfWork()
    let mine = row.number + 1
    let theirs = row.number + 2
    try Edit.change(2, label, number: mine).apply(work, of: owner, &random)
    if random.once(in: 3) {
      try Edit.delete(2, label).apply(factory, of: owner, &random)
      model.delete(2, label)
    } else {
      try Edit.change(2, label, number: theirs).apply(factory, of: owner, &random)
      model.rows[2][label]?.number = theirs
    }
    do {
      try work.commit()
      throw TestCases.Difference("the commit overwrites \(label)")
    } catch DAOError.conflict(let conflict) {
      // The key of a row that is gone may be that of another writer's by now.
      let theirs = conflict.theirs?["label"] == .text(label) ? conflict.theirs : nil
      guard conflict.base?["number"] == .integer(Int64(row.number)), conflict.mine?["number"] == .integer(Int64(mine)),
        theirs?["number"] == model.rows[2][label].map({ .integer(Int64($0.number)) })
      else { throw TestCases.Difference("\(conflict)") }
    }
    let isThere = model.rows[2][label] != nil
    switch random.below(4) {
    case 0: try work.commit(resolving: .takeTheirs)
    case 1:
      try work.refresh(keeping: .theirs)
      if try work.hasChanges { throw TestCases.Difference("the unit has kept its edit of \(label)") }
    case 2 where isThere:
      try work.refresh(keeping: .mine)
      try work.commit()
      model.rows[2][label]?.number = mine
    default:
      guard isThere else { break }
      try work.commit(resolving: .keepMine)
      model.rows[2][label]?.number = mine
    }
    try check()
  }

  /// A change of a row that the others change too: it may be gone, or changed, or what it belongs to is.
  private func editShared(_ maker: some DAOMaker, _ name: String) throws {
    note(name, "shared edits")
    let number = random.below(100)
    let label = label()
    func edit<Kind: ItemKind>(_ kind: Kind.Type) throws {
      let dao = maker.items(kind)
      let some = try dao.findAll(.where { $0.owner == Self.everybody && $0.number >= number }.order(by: \.number).limit(3))
      switch random.below(8) {
      case 0...1:
        func keys<Parent: ItemKind>(_ parent: Parent.Type) throws -> [Int64?] {
          try maker.items(parent).findAllIDs(.where { $0.owner == Self.everybody }.limit(20))
        }
        let parents = try keys(kind.parent)
        guard let parent = parents.randomElement(using: &random) ?? (Kind.mayBeAlone ? .some(0) : nil) else { return }
        try dao.insert(Item(label, of: Self.everybody, number, in: parents.isEmpty ? nil : parent))
      case 2: for item in some { try dao.delete(item) }
      case 3: try dao.update(.where { $0.owner == Self.everybody && $0.number == number }, set: .set(\.number, to: 99 - number))
      default:
        try dao.update(
          some.map {
            var item = $0
            item.number = number
            return item
          })
      }
    }
    let kind = random.pick(Kinds.all)
    do { try edit(kind) } catch  where Self.isDeclared(error) { note("refused: \(error)", "shared edits refused") }
  }

  /// What may happen to who changes rows that others change.
  private static func isDeclared(_ error: any Error) -> Bool {
    switch error {
    case DAOError.conflict, DAOError.notFound, DAOError.constraint(.foreignKey, _, _, _): true
    default: false
    }
  }

  // MARK: Units

  private func stepInUnit() throws {
    guard let unit else {
      note("unit", "units")
      self.unit = OpenUnit(try factory.unitOfWork(), model)
      return
    }
    let inner = unit.innermost
    switch random.below(24) {
    case 0...10:
      let edit = Edit.random(inner.model, label: label(), canReplace: false, &random)
      note("  unit: \(edit)", "edits in units")
      var next = inner.model
      edit.apply(to: &next)
      try inner.step(to: next) { try edit.apply(inner.work, of: owner, &random) }
    case 11...12: try inner.step(to: inner.model) { try editShared(inner.work, "  unit: shared") }
    case 13...14:
      note("  undo", "undone")
      try inner.undo()
    case 15:
      note("  redo", "redone")
      try inner.redo()
    case 16 where random.once(in: 3):
      note("  rollback", "units rolled back")
      try inner.rollback()
    case 17 where unit.child?.child == nil:
      note("  child", "children")
      inner.open()
    case 18...19 where unit.child != nil:
      var parent = unit
      while let child = parent.child, child.child != nil { parent = child }
      let drops = random.once(in: 3)
      note(drops ? "  child dropped" : "  child committed", drops ? "children dropped" : "children committed")
      if drops { parent.dropChild() } else { try parent.commitChild() }
    case 20: _ = try inner.work.preview(resolving: .keepMine)
    case 21...22 where unit.child == nil: return try commit(leaving: random.once(in: 3))
    default: break
    }
    try unit.innermost.check(owner)
  }

  /// Commits the unit, in whichever way the others leave it.
  private func commit(leaving staysOpen: Bool) throws {
    guard let unit else { return }
    note("commit", "commits")
    let next = unit.model
    for attempt in 0..<4 {
      do {
        switch attempt {
        case 0: try unit.check(unit.work.commit().changes, of: owner)
        case 1:
          let choice = random.pick([ConflictPolicy.Resolution.keepMine, .takeTheirs, .byAttribute])
          // The key of a row that somebody has deleted may be that of somebody else's row.
          try unit.work.commit(resolving: .decide { $0.theirs?["owner"] == $0.base?["owner"] ? choice : .takeTheirs })
        case 2:
          try unit.work.refresh(keeping: .theirs)
          try unit.work.commit()
        default:
          note("commit given up", "commits given up")
          try unit.rollback()
          self.unit = nil
          return try check()
        }
        model = next
        try check()
        self.unit = staysOpen ? OpenUnit(unit.work, model) : nil
        if staysOpen { try self.unit?.check(owner) }
        return
      } catch  where Self.isDeclared(error) {
        note("commit refused: \(error)", "commits refused")
        // It is as it was.
        try unit.check(owner)
      }
    }
  }
}
