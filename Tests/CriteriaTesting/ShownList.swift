import DAOCriteria
import Foundation

/// What a collection view shows of a list: it is changed by the differences alone, and refuses those that UIKit's views refuse.
package struct ShownList<E: Entity> {
  /// A batch that a view would end the app for, or one after which it shows something else.
  package struct Refused: Error, CustomStringConvertible {
    package let description: String
  }

  /// A row with what its cell shows.
  private struct Cell: Equatable {
    let key: E.PrimaryKey?
    // By its bytes, since texts of other bytes can be equal; nil for a row that can't be told from others.
    var text: [UInt8]?
  }

  private struct Section: Equatable {
    let value: Scalar
    var cells: [Cell]
  }

  private let text: (E) -> String?
  private var sections: [Section]
  /// How often all was shown anew.
  package private(set) var reloads = 0

  package init(_ results: FetchedResults<E>, _ text: @escaping (E) -> String?) {
    self.text = text
    sections = Self.sections(of: results, text)
  }

  private static func sections(of results: FetchedResults<E>, _ text: (E) -> String?) -> [Section] {
    results.sections.map {
      Section(value: $0.value, cells: $0.rows.map { Cell(key: $0.primaryKey, text: text($0).map { Array($0.utf8) }) })
    }
  }

  /// Shows the next list.
  package mutating func show(_ results: FetchedResults<E>) throws {
    let now = Self.sections(of: results, text)
    guard let changes = results.changes else {
      reloads += 1
      sections = now
      return
    }
    try check(changes)
    var pieces = sections
    for path in (changes.deleted + changes.moved.map(\.from)).sorted(by: >) { pieces[path[0]].cells.remove(at: path[1]) }
    let gone = changes.deletedSections.union(IndexSet(changes.movedSections.map(\.from)))
    var next = pieces.indices.filter { !gone.contains($0) }.map { pieces[$0] }
    let come =
      changes.insertedSections.map { ($0, Section(value: now[$0].value, cells: now[$0].cells)) }
      + changes.movedSections.map { ($0.to, pieces[$0.from]) }
    for (number, section) in come.sorted(by: { $0.0 < $1.0 }) {
      guard number <= next.count else { throw Refused(description: "section \(number) comes after the end") }
      next.insert(section, at: number)
    }
    let cells =
      changes.inserted.map { ($0, Self.cell(at: $0, in: now)) }
      + changes.moved.map { move in
        // A row that has moved is shown anew.
        (move.to, Cell(key: sections[move.from[0]].cells[move.from[1]].key, text: Self.cell(at: move.to, in: now).text))
      }
    for (path, cell) in cells.sorted(by: { $0.0 < $1.0 }) {
      guard path[0] < next.count, path[1] <= next[path[0]].cells.count else { throw Refused(description: "row \(path) is beyond the end") }
      next[path[0]].cells.insert(cell, at: path[1])
    }
    for path in changes.updated {
      let cell = Self.cell(at: path, in: now)
      if cell.text != nil, next[path[0]].cells[path[1]] == cell { throw Refused(description: "row \(path) is as it was") }
      next[path[0]].cells[path[1]].text = cell.text
    }
    if next != now { throw Refused(description: "\(changes)\nmake of \(sections)\n\(next)\nbut the list is\n\(now)") }
    sections = now
  }

  private static func cell(at path: IndexPath, in sections: [Section]) -> Cell { sections[path[0]].cells[path[1]] }

  private func check(_ changes: ListChanges) throws {
    if changes.isEmpty { throw Refused(description: "a list without differences") }
    func different<Place: Hashable>(_ places: [Place], _ name: String) throws {
      if Set(places).count != places.count { throw Refused(description: "\(name) names one twice: \(places)") }
    }
    let sectionsGone = Array(changes.deletedSections) + changes.movedSections.map(\.from)
    let sectionsCome = Array(changes.insertedSections) + changes.movedSections.map(\.to)
    let (gone, come) = (changes.deleted + changes.moved.map(\.from), changes.inserted + changes.moved.map(\.to))
    try different(sectionsGone, "sections that go")
    try different(sectionsCome, "sections that come")
    try different(gone, "rows that go")
    try different(come + changes.updated, "rows that come")
    if gone.contains(where: { sectionsGone.contains($0[0]) }) {
      throw Refused(description: "a row goes in a section that goes: \(changes)")
    }
    if come.contains(where: { sectionsCome.contains($0[0]) }) {
      throw Refused(description: "a row comes in a section that comes: \(changes)")
    }
    if changes.updated.contains(where: { changes.insertedSections.contains($0[0]) }) {
      throw Refused(description: "a row is shown anew in a section that comes: \(changes)")
    }
  }
}
