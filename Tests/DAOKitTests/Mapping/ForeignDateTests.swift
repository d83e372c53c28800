import DAOKit
import Foundation
import Testing

/// Dates in the forms that other programs write, in columns of their declared types.
@Suite struct ForeignDateTests {
  struct Invoice: Entity, Hashable {
    var id: Int64?
    var sent: Date
    var day: Date
    var modified: Date
    var julian: Date
    var nanoseconds: Date
    var milliseconds: Date
    var received: Date
    var opens: Date?

    static let entityDescription = EntityDescription(
      "invoice", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("sent", .date(.text("YYYY-MM-DD HH:MM:SS"))), Attribute("day", .date(.text("YYYY-MM-DD"))),
        Attribute("modified", .date(.secondsSince2001)), Attribute("julian", .date(.julianDays)),
        Attribute("nanoseconds", .date(.unixNanoseconds)), Attribute("milliseconds", .date(.unixMillisecondsText)),
        Attribute("received", .date(.text("YYYY-MM-DD HH:MM:SS[.SSSSSS]+HH:MM"))),
        Attribute("opens", .date(.text("HH:MM")), optional: true),
      ])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var sent: Field<Date> { path.field("sent") }
      var day: Field<Date> { path.field("day") }
      var modified: Field<Date> { path.field("modified") }
      var julian: Field<Date> { path.field("julian") }
      var nanoseconds: Field<Date> { path.field("nanoseconds") }
      var milliseconds: Field<Date> { path.field("milliseconds") }
      var received: Field<Date> { path.field("received") }
    }

    var primaryKey: Int64? { id }

    init(row: inout RowReader) throws {
      id = try row.next()
      sent = try row.next()
      day = try row.next()
      modified = try row.next()
      julian = try row.next()
      nanoseconds = try row.next()
      milliseconds = try row.next()
      received = try row.next()
      opens = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(id)
      try row.write(sent)
      try row.write(day)
      try row.write(modified)
      try row.write(julian)
      try row.write(nanoseconds)
      try row.write(milliseconds)
      try row.write(received)
      try row.write(opens)
    }
  }

  private static let table = """
    CREATE TABLE invoice (
      id INTEGER PRIMARY KEY, sent DATETIME NOT NULL, day DATE NOT NULL, modified TIMESTAMP NOT NULL, julian REAL NOT NULL,
      nanoseconds BIGINT NOT NULL, milliseconds VARCHAR(20) NOT NULL, received TIMESTAMPTZ NOT NULL, opens TIME);
    INSERT INTO invoice VALUES
      (1, '2026-11-21 06:19:00', '2026-11-21', 816934740, julianday('2026-11-21 06:19:00'), 1795241940123456789, '1795241940000',
       '2026-11-21 07:19:00+01:00', '06:19'),
      (2, '2009-01-01 00:00:00', '2009-01-01', 252460800.5, julianday('2009-01-01'), 1230768000000000001, '999999999999',
       '2026-11-21 06:18:59.999999-00:00', NULL),
      (3, '2026-12-31 23:59:59', '2026-12-31', 820454399, julianday('2026-12-31 23:59:59'), 1798761599999999999, '1798761599000',
       '2026-11-20 18:19:00.000001-12:00', '23:59')
    """

  private let store: TestStore
  private let invoices: RuntimeDAO<Invoice>
  private let factory: DAOFactory

  init() throws {
    store = try TestStore([], sql: Self.table)
    factory = DAOFactory(over: store.store)
    invoices = factory.runtimeDAO(Invoice.self)
  }

  private func bytes() throws -> [String] {
    try invoices.query(
      """
      SELECT quote(sent) || quote(day) || quote(modified) || quote(julian) || quote(nanoseconds) || quote(milliseconds) || quote(received)
        || quote(opens) FROM invoice ORDER BY id
      """
    ) { try $0.next(String.self) }
  }

  @Test func `rows whose dates Swift finds equal are two groups, and one filter finds both`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE event (id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
        INSERT INTO event VALUES (2, 1709200800123456001), (1, 1709200800123456000), (3, 1709200800124000000)
        """)
    let known = SchemaCorrections(types: ["event": ["at": .date(.unixNanoseconds)]])
    let events = try DAOFactory(over: store.store, corrections: known).runtimeDAO("event")
    let all = try events.findAll(.all.order(by: .ascending(.field("at"))))
    #expect(all.map { $0["id"] } == [1, 2, 3] && all[0]["at"] == all[1]["at"])
    let at = try #require(all[0]["at"])
    #expect(try events.count(.where(.field("at") == at)) == 2)
    #expect(try events.dictionaries(.all.project(.group(by: "at"), .count)).count == 3)
  }

  @Test func `each form is read as the instant that it says`() throws {
    let minute = Date(timeIntervalSince1970: 1_795_241_940)
    let invoice = try invoices.find(1)
    #expect([invoice.sent, invoice.modified, invoice.julian, invoice.milliseconds, invoice.received] == Array(repeating: minute, count: 5))
    #expect(invoice.day == minute.addingTimeInterval(-22_740))
    #expect(invoice.nanoseconds == Date(timeIntervalSince1970: 1_795_241_940.123_456_789))
    #expect(invoice.opens == Date(timeIntervalSince1970: 22_740))
    #expect(try invoices.find(2).opens == nil)
  }

  @Test func `what is read and written again stays as it was, byte by byte`() throws {
    let before = try bytes()
    try invoices.update(try invoices.findAll())
    #expect(try bytes() == before)
    #expect(try invoices.upsert(try invoices.findAll()).allSatisfy { $0.outcome == .unchanged })
    let work = try factory.unitOfWork()
    try work.runtimeDAO(Invoice.self).update(try work.runtimeDAO(Invoice.self).findAll())
    try work.commit()
    #expect(try bytes() == before)
    var invoice = try invoices.find(3)
    invoice.received = invoice.received.addingTimeInterval(1)
    invoice.nanoseconds = invoice.nanoseconds.addingTimeInterval(1)
    try invoices.update(invoice)
    #expect(try bytes()[2].contains("'2026-11-21 06:19:01.000001+00:00'"))
    #expect(try invoices.find(3) == invoice)
  }

  @Test func `filters, orders, extremes, groups and pages follow the instants`() throws {
    func ids(_ criteria: SearchCriteria<Invoice>) throws -> [Int64] { try invoices.findAllIDs(criteria.order(by: \.sent)) }
    let rows = try invoices.findAll()
    for row in rows {
      let id = try #require(row.id)
      #expect(try ids(.where { $0.sent == row.sent }) == [id])
      #expect(try ids(.where { $0.julian == row.julian }) == [id])
      #expect(try ids(.where { $0.nanoseconds == row.nanoseconds }) == [id])
      #expect(try ids(.where { .in($0.nanoseconds, [row.nanoseconds]) }) == [id])
      #expect(try ids(.where { $0.milliseconds == row.milliseconds }) == [id])
      #expect(try ids(.where { $0.received == row.received }) == [id])
      #expect(try ids(.where { .in($0.received, [row.received, .distantPast.addingTimeInterval(1e9)]) }) == [id])
    }
    // Nine digits are less than ten, and -12:00 is later than +01:00.
    #expect(try invoices.findAll(.all.order(by: \.milliseconds)).map(\.id) == [2, 1, 3])
    #expect(try invoices.findAll(.all.order(by: \.received)).map(\.id) == [2, 1, 3])
    #expect(try invoices.findAllIDs(.where { $0.received > rows[0].received }) == [3])
    #expect(try invoices.maximum(of: \.received) == rows[2].received && invoices.minimum(of: \.milliseconds) == rows[1].milliseconds)
    var seen: [Int64?] = []
    var page = try invoices.page(.all.order(by: \.received), size: 1)
    while true {
      seen += page.items.map(\.id)
      guard let next = page.next else { break }
      page = try invoices.page(.all.order(by: \.received), size: 1, after: next)
    }
    #expect(seen == [2, 1, 3])
    #expect(try invoices.count(.where { $0.sent.year() == 2026 }) == 2)
    #expect(try invoices.findAllIDs(.where { $0.day.startOf(.month) == Date(timeIntervalSince1970: 1_793_491_200) }) == [1])
  }

  @Test func `a text of another form is an error of its row, and a finding of the doctor`() throws {
    _ = try store.store.execute("UPDATE invoice SET sent = '0000-00-00' WHERE id = 2")
    let error = #expect(throws: DAOError.self) { try invoices.find(2) }
    guard case .undecodable("invoice", "sent", 0, let problem) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect("\(problem)".contains("a date of the form YYYY-MM-DD HH:MM:SS, not"))
  }

  @Test func `a date whose form is not stated is refused, and the error says how to state it`() throws {
    let plain = EntityDescription(
      "invoice", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("sent", .date(.iso8601))])
    let error = #expect(throws: DAOError.self) { try factory.runtimeDAO(plain).findAll() }
    #expect("\(try #require(error))".contains(#".dateText("YYYY-MM-DD HH:MM:SS")"#))
  }

  @Test(arguments: [
    AttributeType.DateStorage.text("YYYY-MM-DD HH:MM:SS+HH:MM"), .text("YYYY-MM-DDTHH:MM:SS.FFFFFFFZ"), .text("YYYY-MM-DD"), .julianDays,
    .secondsSince2001, .unixMicroseconds, .unixSecondsText,
  ])
  func `a relationship leads to the row whose key is the same date`(_ storage: AttributeType.DateStorage) throws {
    let moment = EntityDescription(
      "moment", key: .assigned(["at"]), attributes: [Attribute("at", .date(storage)), Attribute("name", .text)])
    let event = EntityDescription(
      "event", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("momentAt", .date(storage), optional: true)],
      relationships: [.toOne("moment", moment, by: "momentAt")])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [moment, event])
    let (moments, events) = (factory.runtimeDAO(moment), factory.runtimeDAO(event))
    let days = (0..<3).map { Scalar.date(Date(timeIntervalSince1970: 86_400 * Double($0 + 20_000))) }
    for (number, day) in days.enumerated() { try moments.insert(moments.make(["at": day, "name": .text("\(number)")])) }
    for day in [days[2], days[0], .null] { try events.insert(events.make(["momentAt": day])) }
    let found = try events.findAll(SearchCriteria().order(by: .ascending(.field("id"))).prefetch("moment"))
    #expect(try found.map { try $0.related("moment").map { $0["name"] } } == [["2"], ["0"], []])
    #expect(try events.count(.where(.field("moment.name") == "2")) == 1)
  }

  @Test func `the doctor finds nothing to say of dates in any of their spellings, and names one of another form`() throws {
    let doctor = StoreDoctor(entities: Invoice.self)
    func values() throws -> [DoctorReport.Finding] {
      try doctor.examine(store.engine).findings.filter { [.spelling, .unreadableValue, .unfindableValue].contains($0.kind) }
    }
    #expect(try values().isEmpty)
    _ = try store.store.execute("UPDATE invoice SET sent = '2026-11-21T06:19:00Z' WHERE id = 2")
    let found = try values()
    #expect(found.map(\.attribute) == ["sent"] && found.first?.kind == .unreadableValue)
    let repairs = try doctor.examine(store.engine).repairSQL.filter { $0.hasPrefix("UPDATE") }
    #expect(repairs.count == 1)
    for statement in repairs { _ = try store.store.execute(SQL(stringLiteral: statement)) }
    #expect(try invoices.find(2).sent == Date(timeIntervalSince1970: 1_795_241_940))
  }

  @Test func `an index is missing where it would find the dates of a filter`() throws {
    let date = Date(timeIntervalSince1970: 1_795_241_940)
    func missing(_ criteria: SearchCriteria<Invoice>) throws -> [String] {
      try invoices.explain(criteria).missingIndexes.map { $0.sql.components(separatedBy: " ON ").last ?? "" }
    }
    #expect(try missing(.where { $0.sent < date }) == [#""invoice" ("sent")"#])
    // Digits in a text are equal by their bytes, and order otherwise; an offset says neither.
    #expect(try missing(.where { $0.milliseconds == date }) == [#""invoice" ("milliseconds")"#])
    #expect(try missing(.where { $0.milliseconds < date }) == [])
    #expect(try missing(.where { $0.received == date }) == [])
  }

  @Test func `a date outside the years 0001 to 9999 is an error, as a value of a Swift type too`() throws {
    _ = try store.store.execute("UPDATE invoice SET received = '9999-12-31 23:59:59-01:00' WHERE id = 2")
    #expect(throws: DAOError.self) { try invoices.find(2) }
  }

  @Test func `a dynamic entity takes the forms that its schema does not say`() throws {
    let known = SchemaCorrections(types: [
      "invoice": ["sent": .date(.text("YYYY-MM-DD HH:MM:SS")), "day": .date(.text("YYYY-MM-DD"))]
    ])
    let rows = try DAOFactory(over: factory.store, corrections: known).runtimeDAO("invoice")
    let early = Date(timeIntervalSince1970: 1_230_768_000)
    #expect(try rows.findAll(.where(.field("sent") == .date(early))).map { $0["day"] } == [.date(early)])
  }
}
