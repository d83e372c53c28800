import DAOKit
import TestCases

/// A unit of work, with its owner's rows as they have to be in it, and its steps.
final class OpenUnit {
  let work: UnitOfWork
  /// The rows on which it is based, which a rollback brings back.
  private let base: Model
  private(set) var model: Model
  private var undoable: [Model] = []
  private var redoable: [Model] = []
  private var names = 0
  private(set) var child: OpenUnit?

  init(_ work: UnitOfWork, _ base: Model) { (self.work, self.base, model) = (work, base, base) }

  /// The one that is edited: that of the child's child.
  var innermost: OpenUnit { child?.innermost ?? self }

  /// Edits in a step of a name of its own; it is none where nothing changed.
  func step(to next: Model, _ body: () throws -> Void) throws {
    names += 1
    let name = "step \(names)"
    try work.group(name, body)
    if try work.undoNames.contains(name) { noteStep() }
    model = next
  }

  private func noteStep() {
    undoable.append(model)
    if undoable.count > 100 { undoable.removeFirst() }
    redoable = []
  }

  func undo() throws {
    guard try work.undo() == !undoable.isEmpty else { throw TestCases.Difference("undo of \(undoable.count) steps") }
    guard let last = undoable.popLast() else { return }
    redoable.append(model)
    model = last
  }

  func redo() throws {
    guard try work.redo() == !redoable.isEmpty else { throw TestCases.Difference("redo of \(redoable.count) steps") }
    guard let next = redoable.popLast() else { return }
    undoable.append(model)
    model = next
  }

  func rollback() throws {
    try work.rollback()
    (model, undoable, redoable) = (base, [], [])
  }

  /// Begins a unit within this one.
  func open() { child = OpenUnit(work.child(), model) }

  /// Ends the unit within this one.
  func commitChild() throws {
    guard let child else { return }
    if case .committed = try child.work.commit() { noteStep() }
    model = child.model
    self.child = nil
  }

  func dropChild() { child = nil }

  /// Whether its rows are those of the model.
  func check(_ owner: Int) throws {
    let rows = try Model(work, of: owner)
    if rows != model { throw TestCases.Difference("in the unit:\n\(rows.differences(from: model))\nwith\n\(try work.changes)") }
  }

  /// Whether a commit names the rows of the owner that it has added, changed and deleted.
  func check(_ changes: UnitChanges, of owner: Int) throws {
    func check<Kind: ItemKind>(_ kind: Kind.Type, _ before: [String: Model.Row], _ after: [String: Model.Row]) throws {
      let changes = try changes.of(Item<Kind>.self)
      let own = { (items: [Item<Kind>]) in Set(items.filter { $0.owner == owner }.map(\.label)) }
      let changed = Set(before.keys.filter { label in after[label].map { $0 != before[label] } ?? false })
      guard own(changes.inserted) == Set(after.keys).subtracting(before.keys),
        own(changes.deleted) == Set(before.keys).subtracting(after.keys), own(changes.updated.map(\.after)).isSuperset(of: changed)
      else { throw TestCases.Difference("the commit names other rows:\n\(changes)") }
    }
    for (number, kind) in Kinds.all.enumerated() { try check(kind, base.rows[number], model.rows[number]) }
  }
}
