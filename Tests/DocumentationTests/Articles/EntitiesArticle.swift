import DAOMacros
import Foundation
import Testing

/// The code of Documentation/entities.md.
@Suite struct EntitiesArticle: ArticleTest {
  let article = Article("Documentation/entities.md")

  @Entity(indexes: [Index(on: "countryCode", "name", unique: true)])
  struct Zone {
    @ID var id: Int64?
    var name: String
    @Attribute(.references("country", "code", onDelete: .cascade)) var countryCode: String
    @Attribute(.column("created_at"), .unixMilliseconds) var created: Date
    @Attribute(.indexed) var standardOffset: Int = 0
    var comment: String?
    @Transient var isSelected: Bool = false
  }

  @Entity
  struct Transition {
    @ID var zone: Int64
    @ID var instant: Date
    var offset: Int
  }

  @Entity
  struct Invoice {
    @ID @Attribute(.column("InvoiceId")) var id: Int64?
    @Attribute(.column("InvoiceDate"), .dateText("YYYY-MM-DD HH:MM:SS")) var date: Date
    @Attribute(.column("DueDay")) var due: CalendarDay?
  }

  @Entity
  struct OrderLine {
    @ID @Attribute(.column("LineId")) var id: Int64?
    @Attribute(.column("UnitPrice"), .numeric(2)) var price: Decimal
    @Attribute(.column("Discount"), .real(3)) var discount: Decimal?
  }

  @Entity
  struct Member {
    @ID var id: Int64?
    @Attribute(.boolText("Y/N")) var active: Bool
    @Attribute(.uuidSpelled([.capitals, .inBraces])) var token: UUID
  }

  @Entity
  struct Account {
    @ID var id: Int64?
    @Attribute(.text(.nocase), .unique) var mail: String
    @Attribute(.text(.rtrim)) var title: String
  }

  @Entity
  struct Item {
    @ID var id: Int64?
    var price: Double
    var quantity: Int
    @Attribute(.generated) var total: Double = 0
  }

  struct Country: Entity {
    var code: String
    var name: String

    static let entityDescription = EntityDescription(
      "country", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var code: Field<String> { path.field("code") }
      var name: Field<String> { path.field("name") }
    }

    var primaryKey: String? { code }

    init(row: inout RowReader) throws {
      code = try row.next()
      name = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(code)
      try row.write(name)
    }
  }

  @Entity(source: .view(definition: "SELECT countryCode AS code, count(*) AS zones FROM zone GROUP BY countryCode"))
  struct Usage {
    @ID var code: String
    var zones: Int
  }

  @Test func `the code of entities.md runs and sends its SQL`() throws {
    let entities = [Country.entityDescription, Zone.entityDescription, Transition.entityDescription, Usage.entityDescription]
    let statements = try SchemaSQL.statements(for: entities)
    for statement in statements { article.take(statement) }
    try dates()
    try numbers()
    try words()
    try texts()
    try columns()
    for statement in statements { article.take(statement) }  // the article shows indexes beside their table
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, Zone.self, Transition.self, Usage.self)
    try keys(factory)
    try factory.runtimeDAO(Country.self).delete("NZ")
    #expect(try factory.runtimeDAO(Zone.self).count() == 0)
    try article.expectSQLAndOutput()
  }

  private func dates() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, trace: article.statements.record)
    try factory.execute("CREATE TABLE invoice (InvoiceId INTEGER PRIMARY KEY, InvoiceDate DATETIME NOT NULL, DueDay DATE)")
    try factory.execute("INSERT INTO invoice VALUES (1, '2009-01-01 00:00:00', '2009-02-01'), (2, '2010-01-01 00:00:00', NULL)")
    let invoices = factory.runtimeDAO(Invoice.self)
    let lastYear = Date(timeIntervalSince1970: 1_735_689_600)

    let late = try invoices.findAll(.where { $0.date < lastYear && $0.due != nil }.order(by: \.date))

    #expect(late.map(\.id) == [1])
    let known = SchemaCorrections(types: ["invoice": ["InvoiceDate": .date(.text("YYYY-MM-DD HH:MM:SS"))]])
    #expect(
      try DAOFactory(over: factory.store, corrections: known).runtimeDAO("invoice").findAll().first?["InvoiceDate"]
        == .date(Date(timeIntervalSince1970: 1_230_768_000)))
  }

  private func numbers() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, trace: article.statements.record)
    try factory.execute("CREATE TABLE orderLine (LineId INTEGER PRIMARY KEY, UnitPrice DECIMAL(10,2) NOT NULL, Discount REAL)")
    try factory.execute("INSERT INTO orderLine VALUES (1, 1.99, 0.125), (2, 0.1 + 0.2, 0.1), (3, 7, 0), (4, 0.3, NULL)")
    let lines = factory.runtimeDAO(OrderLine.self)
    let ceiling = Decimal(sign: .plus, exponent: -1, significand: 3)

    let cheap = try lines.findAll(.where { $0.price <= ceiling && $0.discount != nil }.order(by: \.price))
    let total = try lines.sum(of: \.price)

    #expect(cheap.map(\.id) == [2] && total?.description == "9.59")
  }

  private func words() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, trace: article.statements.record)
    try factory.execute("CREATE TABLE member (id INTEGER PRIMARY KEY, active CHAR(1) NOT NULL, token GUID NOT NULL)")
    try factory.execute("INSERT INTO member VALUES (1, 'y', '{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}')")
    let members = factory.runtimeDAO(Member.self)
    let token = UUID()

    let current = try members.findAll(.where { $0.active == true && $0.token != token })

    #expect(current.map(\.id) == [1])
  }

  private func texts() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, Account.self, trace: article.statements.record)
    let accounts = factory.runtimeDAO(Account.self)
    try accounts.insert(Account(mail: "ann@example.org", title: "Dr "))

    let found = try accounts.findAll(.where { $0.mail == "ANN@example.org" && .beginsWith($0.title, "Dr") }.order(by: \.mail))

    #expect(found.map(\.mail) == ["ann@example.org"])
  }

  private func columns() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, trace: article.statements.record)
    try factory.execute(
      """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, price REAL NOT NULL, quantity INTEGER NOT NULL,
        total REAL NOT NULL GENERATED ALWAYS AS (price * quantity) VIRTUAL)
      """)
    let items = factory.runtimeDAO(Item.self)

    let item = try items.refresh(items.insert(Item(price: 2.5, quantity: 4)))
    let large = try items.findAll(.where { $0.total >= 10 }.order(by: \.total))

    #expect(item.total == 10 && large.map(\.id) == [1])
  }

  private func keys(_ factory: DAOFactory) throws {
    try factory.execute("INSERT INTO country VALUES ('NZ', 'New Zealand')")
    let date = Date(timeIntervalSince1970: 0)
    let zone = try factory.runtimeDAO(Zone.self).insert(Zone(name: "Pacific/Auckland", countryCode: "NZ", created: date))
    #expect(zone.id == 1 && zone.standardOffset == 0)
    #expect(try factory.runtimeDAO(Usage.self).find("NZ").zones == 1)

    let transitions = factory.runtimeDAO(Transition.self)
    try transitions.insert(Transition(zone: 7, instant: date, offset: 3600))

    let transition = try transitions.find(.init(zone: 7, instant: date))

    #expect(transition.offset == 3600)
  }
}

extension DAOFactory {
  fileprivate func execute(_ sql: SQL) throws { _ = try runtimeDAO(EntitiesArticle.Country.self).execute(sql) }
}
