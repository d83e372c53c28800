import DAOImport
import DAOMacros
import DAOTestSupport
import Foundation
import Testing

/// The code of Documentation/importing.md.
@Suite struct ImportingArticle: ArticleTest {
  let article = Article("Documentation/importing.md")

  @Entity
  struct Publisher {
    @ID var code: String
    var name: String?
  }

  @Entity
  struct Book {
    @ID @Attribute(.mapped(.excluded)) var id: Int64?
    @Attribute(.unique, .identity) var isbn: String
    @Attribute(.mapped(["full_title", "title"])) var title: String
    @Attribute(.mapped(AttributeMapping("dates.published", dates: [.iso8601, .pattern("dd.MM.yyyy")]))) var published: Date?
    @Attribute(.mapped(AttributeMapping(null: .useDefault))) var pages: Int = 0
    @Attribute(.mapped(.excluded)) var isFavourite: Bool = false
    @ToOne(onDelete: .nullify, mapping: ["publisher", "imprint.house"]) var publisher: Reference<Publisher>?
    @ToMany(\Review.book, mapping: RelationshipMapping(many: .replaceDeletingOrphans)) var reviews: Many<Review> = Many()
  }

  @Entity
  struct Review {
    @ID var id: Int64
    @ToOne(onDelete: .cascade) var book: Reference<Book>
    var stars: Int
  }

  @Test func `the code of importing.md runs, prints its output and sends its SQL`() async throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Book.self, Publisher.self, Review.self) { statements.record($0) }
    let feed = Data(
      """
      [
        {"isbn": "978-1", "title": "Maps", "dates": {"published": "1.2.1990"}, "pages": "210",
         "publisher": {"code": "ATL", "name": "Atlas Press"}, "reviews": [{"id": 1, "stars": 4}, {"id": 2, "stars": 5}]},
        {"isbn": "978-2", "full_title": "More maps", "imprint": {"house": "ATL"}}
      ]
      """.utf8)
    let books = factory.runtimeDAO(Book.self)
    try firstImports(books, feed)
    try imports(books)

    var fractions: [Double] = []
    for try await report in books.importing(.json(feed), options: ImportOptions(batch: 1)) {
      fractions.append(Double(report.bytes) / Double(report.totalBytes))
    }
    print("\(fractions.count) transactions, \(fractions.last ?? 0)")
    try article.expectSQLAndOutput()
  }

  private func firstImports(_ books: RuntimeDAO<Book>, _ feed: Data) throws {
    print(try books.import(.json(feed)))
    print(try books.import(.json(feed)))
  }

  private func imports(_ books: RuntimeDAO<Book>) throws {
    var mapping = ImportMapping<Book>()
    mapping[\.title] = "name"
    mapping.before { record in record["deleted"] == true ? .skip : .proceed }
    mapping.instead(\.pages) { record in (record["sheets"]?.integer).map { Int($0) * 2 } ?? 0 }
    mapping.after(\.title) { title, _ in title.trimmingCharacters(in: .whitespaces) }
    let changes = Data(
      """
      {"isbn": "978-1", "name": " Maps ", "sheets": 110}
      {"isbn": "978-3", "deleted": true}
      """.utf8)
    let report = try books.import(.jsonLines(changes), mapping)
    print(report)
    print(try books.findFirst(.where { $0.isbn == "978-1" })?.pages ?? 0)

    let broken = Data(#"[{"isbn": "978-4", "title": "A"}, {"isbn": "978-5", "pages": "many", "publisher": []}]"#.utf8)
    do { try books.import(.json(broken)) } catch let failure as ImportFailure { print(failure) }
    let skipping = ImportOptions(batch: 1_000, failures: .skip(upTo: 100))
    print(try books.import(.json(broken), options: skipping)["book"])

    print(try books.import(.json(Data(#"[{"isbn": "978-1"}]"#.utf8)), deletingAbsent: .everything))
  }
}
