import DAOMacros
import Foundation
import Testing

/// The code of Documentation/examining-a-store.md.
@Suite struct ExaminingArticle: ArticleTest {
  let article = Article("Documentation/examining-a-store.md")

  @Entity
  struct Zone {
    @ID var id: Int64?
    var name: String
    var inhabited: Bool
    var since: Date?
  }

  @Test func `the code of examining-a-store.md runs and prints its output`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("clock.sqlite")
      let factory = try DAOFactory(store: .file(url), entities: Zone.self)
      try factory.runtimeDAO(Zone.self).insert([Zone(name: "Asia/Tokyo", inhabited: true), Zone(name: "Etc/UTC", inhabited: false)])
      try factory.runtimeDAO(Zone.self).execute("UPDATE zone SET inhabited = 'true' WHERE id = 1")  // as another program might write it
      try examining(factory, url)
      try article.expectSQLAndOutput()
    }
  }

  private func examining(_ factory: DAOFactory, _ url: URL) throws {
    let report = try factory.examine()  // an open store; others go on reading and writing
    let same = try StoreDoctor(entities: Zone.self).examine(url)  // a file, in use or not
    let plain = try StoreDoctor().examine(url)  // any SQLite file, by its own schema
    print(report)

    #expect(!report.isHealthy && same.findings == report.findings && plain.findings.count == 1)

    let errors = report.findings.filter { $0.severity == .error }
    for sql in report.repairSQL { article.take(sql) }

    #expect(errors.count == 1 && errors[0].kind == .unreadableValue && report.repairSQL.count > 1)
  }
}
