import DAOMacros
import Foundation
import Testing

/// The code of Documentation/existing-databases.md.
@Suite struct ExistingDatabasesArticle: ArticleTest {
  let article = Article("Documentation/existing-databases.md")

  @Entity("customer")
  struct Customer {
    @ID var id: Int64?
    var name: String
    @Attribute(.boolText("Y/N")) var active: Bool
    @Attribute(.dateText("YYYY-MM-DD HH:MM", zone: "Europe/Bratislava")) var since: Date?
  }

  enum MethodValue: String, AttributeValue { case cash, card }

  @Entity("invoice")
  struct Invoice {
    @ID var id: Int64?
    @ToOne(declared: .foreignKey) @Attribute(.column("customer_id")) var customer: Reference<Customer>
    @Attribute(.dateText("YYYY-MM-DD HH:MM:SS")) var issued: Date
    var due: CalendarDay?
    @Attribute(.numeric(2)) var total: Decimal
    // CHECK IN ('cash', 'card')
    var method: MethodValue
  }

  @Test func `the code of existing-databases.md runs, prints its output and sends its SQL`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("shop.sqlite")
      try make(url)
      let known = try inspecting(url, folder)
      try dynamic(url, known)
      try reporting(url)
      try mistakes(url)
      try article.expectSQLAndOutput()
    }
  }

  private func make(_ url: URL) throws {
    let factory = try DAOFactory(store: .file(url), describedBy: [])
    let store = try #require(factory.store as? EngineStore)
    let statements: [SQL] = [
      "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, active CHAR(1) NOT NULL, since DATETIME)",
      """
      CREATE TABLE invoice (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
        issued DATETIME NOT NULL, due DATE,
        total NUMERIC(10,2) NOT NULL, method TEXT NOT NULL CHECK (method IN ('cash', 'card')))
      """,
      "CREATE VIEW debt AS SELECT customer_id AS customer, sum(total) AS total FROM invoice WHERE due IS NOT NULL GROUP BY customer_id",
      "INSERT INTO customer VALUES (1, 'Ana', 'Y', '2024-01-05 09:30'), (2, 'Ben', 'N', NULL)",
    ]
    for statement in statements { _ = try store.execute(statement) }
    for number in 1...24 {
      let month = number % 3 + 1
      let due = number % 4 == 0 ? "'2024-0\(month + 1)-28'" : "NULL"
      _ = try store.execute(
        SQL(
          stringLiteral: """
            INSERT INTO invoice VALUES (\(number), \(number % 2 + 1), '2024-0\(month)-\(10 + number % 15) 10:00:00', \(due),
              \(number).1 + 0.2,
              '\(number % 5 == 0 ? "cash" : "card")')
            """))
    }
    try factory.close()
  }

  private func inspecting(_ url: URL, _ folder: URL) throws -> SchemaCorrections {
    let shop = try DAOFactory.inspect(url)
    print(shop)

    try shop.swiftSource().write(to: folder.appendingPathComponent("Shop.swift"), atomically: true, encoding: .utf8)

    let source = try #require(try shop.swiftSource(of: "invoice"))
    #expect(source.contains("@ToOne(declared: .foreignKey) @Attribute(.column(\"customer_id\")) var customer: Reference<Customer>"))
    #expect(source.contains("var method: MethodValue") && source.contains("enum MethodValue: String, AttributeValue {"), "\(source)")
    var known = shop.corrections
    known.types["customer", default: [:]]["since"] = .date(.text(DatePattern("YYYY-MM-DD HH:MM", zone: "Europe/Bratislava")))
    known.keys["debt"] = ["customer"]
    known.relationships.append(StatedForeignKey("debt", "customer", to: "customer"))
    let dynamic = try DAOFactory(store: .file(url), corrections: known)
    let largest = try dynamic.runtimeDAO("debt").findFirst(.all.order(by: .descending(.field("total"))).prefetch("customer"))

    #expect(try largest?.related("customer").map { $0["name"] } == ["Ana"])
    #expect(try dynamic.runtimeDAO("customer").find([1])["since"] == .date(Date(timeIntervalSince1970: 1_704_443_400)))
    return known
  }

  private func dynamic(_ url: URL, _ known: SchemaCorrections) throws {
    let written = SchemaCorrections(
      types: ["invoice": ["issued": .date(.text("YYYY-MM-DD HH:MM:SS")), "total": .decimal(.numeric(2))]],
      keys: ["debt": ["customer"]],
      relationships: [StatedForeignKey("debt", "customer", to: "customer")])

    #expect(known.types["invoice"]?["issued"] == written.types["invoice"]?["issued"])
    let factory = try DAOFactory(store: .file(url), corrections: written)
    #expect(try factory.runtimeDAO("invoice").count() == 24)
  }

  private func reporting(_ url: URL) throws {
    do {
      let factory = try DAOFactory(store: .file(url), entities: Customer.self, Invoice.self)

      #expect(try factory.runtimeDAO(Customer.self).count() == 2)
    }
    let factory = try DAOFactory(store: .file(url), entities: Customer.self, Invoice.self, trace: article.statements.record)
    article.statements.clear()
    let invoices = factory.runtimeDAO(Invoice.self)
    let byMonth = try invoices.project(.group(by: .month(\.issued)), .sum(\.total), .count, matching: .where { $0.customer.active == true })

    #expect(
      byMonth.sorted { ($0.0 ?? 0) < ($1.0 ?? 0) }.map { "\($0.0 ?? 0) \($0.1.map { "\($0)" } ?? "") \($0.2)" } == [
        "1 61.2 4", "2 53.2 4", "3 45.2 4",
      ])
  }

  /// What opening and reading say of entities that do not fit, which the article's table of errors quotes.
  private func mistakes(_ url: URL) throws {
    let maker = try DAOFactory(store: .file(url), describedBy: [])
    let store = try #require(maker.store as? EngineStore)
    let statements: [SQL] = [
      "CREATE TABLE user (id INTEGER PRIMARY KEY, email TEXT COLLATE NOCASE, boss INTEGER)", "CREATE VIEW gone AS SELECT missing FROM user",
      "UPDATE invoice SET due = '0000-00-00' WHERE id = 4",
    ]
    for statement in statements { _ = try store.execute(statement) }
    let id = DAOCriteria.Attribute("id", .integer)
    let day = DAOCriteria.Attribute("due", .date(.text("YYYY-MM-DD")), optional: true)
    let user = EntityDescription(
      "user", key: .generated("id"),
      attributes: [id, DAOCriteria.Attribute("email", .text), DAOCriteria.Attribute("boss", .integer, optional: true)],
      relationships: [.toOne("boss", EntityDescription("user", key: .generated("id"), attributes: [id]), by: "boss")])
    let wrong = [
      EntityDescription(
        "invoice", key: .generated("id"),
        attributes: [id, DAOCriteria.Attribute("issued", .date(.iso8601)), DAOCriteria.Attribute("total", .decimal(.text))]), user,
      EntityDescription(
        "gone", source: .view(definition: nil), key: .assigned(["missing"]), attributes: [DAOCriteria.Attribute("missing", .integer)]),
    ]
    var messages: [String] = []
    do { _ = try DAOFactory(store: .file(url), describedBy: wrong) } catch {
      messages += "\(error)".split(separator: "\n").map(String.init)
    }
    let invoice = EntityDescription("invoice", key: .generated("id"), attributes: [id, day])
    do { _ = try maker.runtimeDAO(invoice).find([4]) } catch { messages.append("\(error)") }
    let text = try Documents.text(article.path)
    let quoted = text.components(separatedBy: "## What you may meet")[1].components(separatedBy: "## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }.map { $0.dropFirst(3).prefix { $0 != "`" } }
    #expect(quoted.count == 8)
    for line in quoted {
      let parts = line.components(separatedBy: "…")
      let isThere = messages.contains { message in
        var rest = message[...]
        return parts.allSatisfy { part in
          guard let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: part) else { return false }
          rest = rest[range.upperBound...]
          return true
        }
      }
      #expect(isThere, "\(line) is none of\n\(messages.joined(separator: "\n"))")
    }
  }
}
