import DAOKit
import Foundation
import GRDB
import Testing

/// Truth values and UUIDs as other programs spell them in texts.
@Suite struct ForeignWordTests {
  struct Member: Entity, Hashable {
    var id: Int64?
    var active: Bool
    var token: UUID
    var old: Bool?

    static let entityDescription = EntityDescription(
      "member", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("active", .boolText("Y/N")), Attribute("token", .uuid(.spelled([.capitals, .inBraces]))),
        Attribute("old", .boolText("1/0"), optional: true),
      ])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var id: Field<Int64?> { path.field("id") }
      var active: Field<Bool> { path.field("active") }
      var token: Field<UUID> { path.field("token") }
      var old: Field<Bool?> { path.field("old") }
    }

    var primaryKey: Int64? { id }
    mutating func setGeneratedKey(_ key: Int64) { id = key }

    init(_ active: Bool, _ token: UUID, old: Bool? = nil) { (self.active, self.token, self.old) = (active, token, old) }

    init(row: inout RowReader) throws {
      id = try row.next()
      active = try row.next()
      token = try row.next()
      old = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(id)
      try row.write(active)
      try row.write(token)
      try row.write(old)
    }
  }

  private static let first = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
  private static let table = """
    CREATE TABLE member (id INTEGER PRIMARY KEY, active CHAR(1) NOT NULL, token GUID NOT NULL, old TEXT);
    CREATE INDEX member_token ON member (token);
    INSERT INTO member VALUES (1, 'Y', '{\(first)}', '1'), (2, 'y', '{00000000-0000-0000-0000-000000000001}', '0'),
      (3, 'n', '{FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF}', NULL), (4, 'N', '{AAAAAAAA-0000-0000-0000-000000000000}', '1')
    """

  private let store: TestStore
  private let members: RuntimeDAO<Member>
  private let factory: DAOFactory

  init() throws {
    store = try TestStore([], sql: Self.table)
    factory = DAOFactory(over: store.store)
    members = factory.runtimeDAO(Member.self)
  }

  private func quoted() throws -> [String] {
    try members.query("SELECT quote(active) || quote(token) || quote(old) FROM member ORDER BY id") { try $0.next() }
  }

  private func ids(_ criteria: SearchCriteria<Member>) throws -> [Int64] { try members.findAllIDs(criteria).compactMap { $0 } }

  @Test func `words are read in any case, and written as they are stated`() throws {
    #expect(try members.findAll().map(\.active) == [true, true, false, false])
    #expect(try members.findAll().map(\.old) == [true, false, nil, true])
    let before = try quoted()
    try members.update(try members.findAll())
    #expect(try members.upsert(try members.findAll()).allSatisfy { $0.outcome == .unchanged })
    let work = try factory.unitOfWork()
    try work.runtimeDAO(Member.self).update(try work.runtimeDAO(Member.self).findAll())
    try work.commit()
    #expect(try quoted() == before)
    var member = try members.find(2)
    member.active = false
    member.old = nil
    try members.update(member)
    #expect(try quoted()[1] == "'N''{00000000-0000-0000-0000-000000000001}'NULL")
    #expect(try members.find(2) == member)
  }

  @Test func `filters, orders and groups know the truth and not the word`() throws {
    #expect(try ids(.where { $0.active == true }.order(by: \.id)) == [1, 2])
    #expect(try ids(.where { $0.active != true }.order(by: \.id)) == [3, 4])
    #expect(try ids(.where { .in($0.active, [false]) }.order(by: \.id)) == [3, 4])
    #expect(try ids(.where { $0.old == nil || $0.old == false }.order(by: \.id)) == [2, 3])
    #expect(try ids(.all.order(by: .ascending(\.active), .descending(\.id))) == [4, 3, 2, 1])
    let groups = try members.project(.group(by: \.active), .count, matching: .all.order(by: \.active))
    #expect(groups.map { "\($0.0) \($0.1)" } == ["false 2", "true 2"])
    #expect(try members.project(.count(distinct: \.active)) == [2])
    #expect(try members.distinctValues(of: \.active).count == 2)
    #expect(try members.maximum(of: \.active) == true)
    var seen: [Int64?] = []
    var page = try members.page(.all.order(by: \.active), size: 1)
    while true {
      seen += page.items.map(\.id)
      guard let next = page.next else { break }
      page = try members.page(.all.order(by: \.active), size: 1, after: next)
    }
    #expect(seen == [3, 4, 1, 2])
  }

  @Test func `a UUID is found by its text, by an index, and orders as its bytes do`() throws {
    let token = try #require(UUID(uuidString: Self.first))
    let plan = try members.explain(.where { $0.token == token })
    #expect(plan.usedIndexes == ["member_token"])
    #expect(try ids(.where { $0.token == token }) == [1])
    #expect(try ids(.all.order(by: \.token)) == [2, 1, 4, 3])
    let new = try members.insert(Member(true, token, old: false))
    #expect(try quoted().last == "'Y''{\(Self.first)}''0'" && members.find(#require(new.id)) == new)
  }

  @Test(
    arguments: [
      ([.capitals], "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"), ([.withoutHyphens], "6ba7b8109dad11d180b400c04fd430c8"),
      ([.inBraces], "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}"), ([.capitals, .withoutHyphens], "6BA7B8109DAD11D180B400C04FD430C8"),
      ([.withoutHyphens, .inBraces], "{6ba7b8109dad11d180b400c04fd430c8}"),
      ([.capitals, .withoutHyphens, .inBraces], "{6BA7B8109DAD11D180B400C04FD430C8}"),
    ] as [(UUIDSpelling, String)])
  func `each spelling is its own, and no other is read`(spelling: UUIDSpelling, text: String) throws {
    let type = AttributeType.uuid(.spelled(spelling))
    let uuid = try #require(UUID(uuidString: Self.first))
    #expect(try type.stored(.uuid(uuid)) == .text(text) && type.scalar(.text(text)) == .uuid(uuid))
    #expect(AttributeType(declaredName: type.declaredName) == type)
    let others = [Self.first, Self.first.lowercased(), "{\(Self.first)}", Self.first.replacingOccurrences(of: "-", with: "")]
    for other in others + [String(text.dropLast()), text + "0", "", "{}", "{{\(Self.first)}}", "zz" + text.dropFirst(2)] where other != text
    {
      let problem = #expect(throws: ValueProblem.self) { try type.scalar(.text(other)) }
      #expect(problem.map { "\($0)" }?.contains("spelled \(spelling)") == true)
    }
  }

  @Test func `other words and other spellings are errors of their rows, and findings that a repair mends`() throws {
    let folder = try StoreFolder()
    let file = folder.file("members")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: Self.table + """
          ; INSERT INTO member VALUES (5, 'yes', '{\(Self.first)}', '1'), (6, 1, '\(Self.first.lowercased())', '0'),
            (7, 'maybe', '{\(Self.first.lowercased())}', 'true'), (8, 'Y', '6ba7b810-9dad-11d1-80b4-00c04fd430c', NULL)
          """)
    }
    try queue.close()
    let doctor = StoreDoctor(entities: Member.self)
    let report = try doctor.examine(file)
    func broken(_ report: DoctorReport, _ attribute: String) -> [[StoredValue]] {
      report.findings.filter { $0.attribute == attribute && $0.kind == .unreadableValue }.flatMap(\.examples).map(\.key)
    }
    #expect(Set(broken(report, "active")) == [[.integer(5)], [.integer(6)], [.integer(7)]])
    #expect(Set(broken(report, "token")) == [[.integer(6)], [.integer(7)], [.integer(8)]])
    #expect(broken(report, "old") == [[.integer(7)]])
    let again = try DatabaseQueue(path: file.path)
    try again.writeWithoutTransaction { db in for sql in report.repairSQL { try db.execute(sql: sql) } }
    try again.close()
    let second = try doctor.examine(file)
    #expect(broken(second, "active") == [[.integer(7)]] && broken(second, "token") == [[.integer(8)]] && broken(second, "old") == [])
    let rows = try DAOFactory(store: .file(file), entities: Member.self).runtimeDAO(Member.self)
    let repaired = try rows.find(6)
    #expect(repaired.active && repaired.token == UUID(uuidString: Self.first) && repaired.old == false)
    let error = #expect(throws: DAOError.self) { try rows.find(7) }
    #expect(error.map { "\($0)" }?.contains("member.active in row 0 expects Y/N, not 'maybe'") == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `words and spellings that there are none of are problems of their entity`() {
    func problems(_ type: AttributeType) -> [String] {
      EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", type)]).problems
    }
    #expect(problems(.boolText("ja/nein")).first?.contains("t.a is a truth value of which the words are not known") == true)
    #expect(problems(.uuid(.spelled([]))).first?.contains("without an option of its spelling") == true)
    for words in ["1/0", "true/false", "TRUE/FALSE", "True/False", "t/f", "T/F", "yes/no", "y/n", "Y/N", "on/off", "ON/OFF"] {
      let type = AttributeType.boolText(BoolText(words))
      #expect(problems(type) == [] && "\(BoolText(words))" == words && AttributeType(declaredName: type.declaredName) == type)
    }
    #expect(AttributeType(declaredName: "BOOLEAN_TEXT ja/nein") == .text)
  }
}
