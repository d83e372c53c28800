import DAOKit
import DAORecords

// What the store knows of an import that has a name.
extension ImportRun {
  private var marks: EntityTarget { EntityTarget(ImportMark.entityDescription) }

  /// Goes behind the records that an interrupted import has stored, and waits for the rows that it waited for.
  func goBehindMark() throws {
    guard let name = options.mark else { return }
    let keys = [ImportMark.PrimaryKey(name), .ofMove(name)]
    guard let mark = try store.find(ImportMark.self, in: marks, keys: keys).first else { return }
    if mark.primaryKey == .ofMove(name) { throw ImportMark.isTaken(name) }
    var record = Record()
    while reader.count < mark.records {
      do {
        if try !reader.next(&record) { break }
      } catch let problem as RecordProblem {
        // It was refused before.
        if reader.goesOn { continue }
        throw ImportStop(problems: [plan.problem(problem.message, reader.origin(problem.position))])
      }
    }
    report.records = reader.count
    let links: Filter<ImportMark> = \.name == name && \.waiting != nil
    var criteria = Criteria()
    criteria.filter = links.condition
    for mark in try store.find(ImportMark.self, in: marks, criteria).sorted(by: { $0.records < $1.records }) {
      openLinks.restore(try OpenLink(mark, plan))
    }
  }

  /// Notes the records that are stored, and the links that are open.
  func note(_ name: String) throws {
    if report.isComplete {
      let all: Filter<ImportMark> = \.name == name && \.link != ImportMark.linkOfMove
      var criteria = Criteria()
      criteria.filter = all.condition
      _ = try store.delete(in: marks, criteria)
      return
    }
    // An import that goes on does not know the orphans of this one.
    try deleteOrphans()
    let (new, gone) = openLinks.takeChanges()
    _ = try store.delete(ImportMark.self, keys: gone.map { ImportMark.PrimaryKey(name, link: $0.place(plan)) }, in: marks)
    // Another import of the same feed may have noted the same.
    let noted = try new.map { try $0.mark(name, plan) } + [ImportMark(name, records: report.records)]
    _ = try store.upsert(noted, UpsertRule(), in: marks)
  }
}
