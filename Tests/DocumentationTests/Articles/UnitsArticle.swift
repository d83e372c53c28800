import DAOMacros
import DAOTestSupport
import Testing

/// The code of Documentation/units-of-work.md.
@Suite struct UnitsArticle: ArticleTest {
  let article = Article("Documentation/units-of-work.md")

  @Entity
  struct Project {
    @ID var id: Int64?
    var name: String
    @ToMany(\Job.project) var jobs: Many<Job> = Many()
  }

  @Entity
  struct Job {
    @ID var id: Int64?
    @ToOne(onDelete: .cascade) var project: Reference<Project>
    @Attribute(.unique) var title: String
    var hours: Int = 0
  }

  final class JobDAO: DAO<Job>, @unchecked Sendable {
    func long() throws -> [Job] { try findAll(.where(\.hours >= 8).order(by: \.title)) }
  }

  @Test func `the code of units-of-work.md runs, prints its output and sends its SQL`() throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Project.self, Job.self) { statements.record($0) }
    let work = try factory.unitOfWork()
    let jobs = work.dao(JobDAO.init)

    let garden = try work.runtimeDAO(Project.self).insert(Project(name: "Garden"))
    let project = Reference<Project>(garden.id ?? 0)
    try jobs.insert([Job(project: project, title: "Dig", hours: 9), Job(project: project, title: "Sow")])
    var dig = try jobs.long()[0]
    dig.hours = 10
    try jobs.update(dig)

    print("\(try jobs.count(.where { $0.project.name == "Garden" })) in the unit, \(try factory.runtimeDAO(Job.self).count()) in the store")
    print(try work.changes)

    let result = try work.commit()
    print(try result.changes.of(Job.self).inserted.map { "\($0.id ?? 0) \($0.title) of project \($0.project.key)" })
    print(try work.hasChanges)

    try work.group("Double the hours") {
      for job in try jobs.findAll() { try jobs.update(.where { $0.title == job.title }, set: .set(\.hours, to: job.hours * 2)) }
    }
    print(try jobs.findAll(.all.order(by: \.id)).map(\.hours))
    try work.undo()
    print(try jobs.findAll(.all.order(by: \.id)).map(\.hours))
    print(try work.redoNames)

    try work.redo()
    let preview = try work.preview()
    print(preview)
    print(preview.isClean)

    try factory.runtimeDAO(Job.self).update(.where { $0.title == "Dig" }, set: .set(\.title, to: "Dig over"))
    do { try work.commit() } catch DAOError.conflict(let conflict) { print(conflict) }
    try work.commit(resolving: .byAttribute)
    let stored = try factory.runtimeDAO(Job.self).find(1)
    print("\(stored.title): \(stored.hours) hours")

    let dialog = work.child()
    try dialog.runtimeDAO(Job.self).delete(.where { $0.title == "Sow" })
    print("\(try work.runtimeDAO(Job.self).count()) above, \(try dialog.runtimeDAO(Job.self).count()) in the dialog")
    try dialog.commit()
    print("\(try work.runtimeDAO(Job.self).count()) above, \(try factory.runtimeDAO(Job.self).count()) in the store")

    let shared = try work.runtimeDAO(Project.self).find(1)
    let copy = try work.clone(shared, with: \.jobs)
    print("\(try jobs.count(.where { $0.project.id == copy.id })) of \(try jobs.count()) jobs are the copy's")
    try work.undo()
    try article.expectSQLAndOutput()
  }
}
