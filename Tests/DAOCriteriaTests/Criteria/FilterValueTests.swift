import DAOCriteria
import Testing

@Suite("Criteria as values")
struct FilterValueTests {
  /// One meaning, spelled with operators over key paths, with the method twin, in a closure over fields, and by name.
  static let spellings: [[Filter<Item>]] = [
    [\.price == 3, .equal(\.price, 3), closure { $0.price == 3 }, .field("price") == 3, .equal(.field("price"), 3)],
    [\.price != 3, .notEqual(\.price, 3), closure { $0.price != 3 }, .field("price") != 3, .notEqual(.field("price"), 3)],
    [\.price < 3, .less(\.price, 3), closure { $0.price < 3 }, .field("price") < 3, .less(.field("price"), 3)],
    [\.price <= 3, .lessOrEqual(\.price, 3), closure { $0.price <= 3 }, .field("price") <= 3, .lessOrEqual(.field("price"), 3)],
    [\.price > 3, .greater(\.price, 3), closure { $0.price > 3 }, .field("price") > 3, .greater(.field("price"), 3)],
    [\.price >= 3, .greaterOrEqual(\.price, 3), closure { $0.price >= 3 }, .field("price") >= 3, .greaterOrEqual(.field("price"), 3)],
    [\.note == nil, .equal(\.note, nil), closure { $0.note == nil }, .field("note") == nil],
    [\.name == \.note, .equal(\.name, \.note), closure { $0.name == $0.note }, .equal(.field("name"), .field("note"))],
    [\.name != \.note, .notEqual(\.name, \.note), closure { $0.name != $0.note }, .notEqual(.field("name"), .field("note"))],
    [\.name < \.note, .less(\.name, \.note), closure { $0.name < $0.note }, .less(.field("name"), .field("note"))],
    [\.name <= \.note, .lessOrEqual(\.name, \.note), closure { $0.name <= $0.note }, .lessOrEqual(.field("name"), .field("note"))],
    [\.name > \.note, .greater(\.name, \.note), closure { $0.name > $0.note }, .greater(.field("name"), .field("note"))],
    [\.name >= \.note, .greaterOrEqual(\.name, \.note), closure { $0.name >= $0.note }, .greaterOrEqual(.field("name"), .field("note"))],
    [.between(\.price, 1, 2), .between(\.price, 1...2), closure { .between($0.price, 1, 2) }, .between(.field("price"), 1, 2)],
    [.in(\.price, [1, 2]), closure { .in($0.price, [1, 2]) }, .in(.field("price"), [1, 2])],
    [.notIn(\.price, [1, 2]), closure { .notIn($0.price, [1, 2]) }, .notIn(.field("price"), [1, 2]), !.in(\.price, [1, 2])],
    [.isNull(\.note), closure { .isNull($0.note) }, .isNull(.field("note"))],
    [.isNotNull(\.note), closure { .isNotNull($0.note) }, .isNotNull(.field("note")), !.isNull(\.note)],
    [.like(\.name, "a*"), closure { .like($0.name, "a*") }, .like(.field("name"), "a*"), .like(\.name, "a*", caseSensitive: true)],
    [.contains(\.name, "a"), closure { .contains($0.name, "a") }, .contains(.field("name"), "a")],
    [.beginsWith(\.name, "a"), closure { .beginsWith($0.name, "a") }, .beginsWith(.field("name"), "a")],
    [.endsWith(\.name, "a"), closure { .endsWith($0.name, "a") }, .endsWith(.field("name"), "a")],
    [.lower(\.name) == "a", closure { $0.name.lowercased() == "a" }, .equal(.lower(\.name), "a")],
    [.upper(\.name) == "a", closure { $0.name.uppercased() == "a" }], [.trim(\.name) == "a", closure { $0.name.trimmed() == "a" }],
    [.length(\.name) > 1, closure { $0.name.length() > 1 }, .greater(.length(\.name), 1)],
    [
      .replace(\.name, "a", with: "b") == "b", closure { $0.name.replace("a", with: "b") == "b" },
      .replace(Operand(\.name), "a", with: "b") == "b",
    ],
    [.year(\.price) == 1, closure { $0.price.year() == 1 }, .year(Operand(\.price), utcOffset: 0) == 1],
    [.month(\.price, utcOffset: 60) == 1, closure { $0.price.month(utcOffset: 60) == 1 }, .month(Operand(\.price), utcOffset: 60) == 1],
    [.day(\.price) == 1, closure { $0.price.day() == 1 }, .day(Operand(\.price)) == 1],
    [.weekday(\.price) == 1, closure { $0.price.weekday() == 1 }, .weekday(Operand(\.price)) == 1],
    [.hour(\.price) == 1, closure { $0.price.hour() == 1 }, .hour(Operand(\.price)) == 1],
    [.startOf(.week, \.price) == 1, closure { $0.price.startOf(.week) == 1 }, .startOf(.week, Operand(\.price)) == 1],
    [
      .concat(\.name, \.note, separator: "-") == "b", closure { $0.name.concat($0.note, separator: "-") == "b" },
      .concat(Operand(\.name), Operand(\.note), separator: "-") == "b",
    ],
    [.substring(\.name, from: 1, size: 2) == "a", closure { $0.name.substring(from: 1, size: 2) == "a" }],
    [.substring(\.name, from: 1) == "a", closure { $0.name.substring(from: 1) == "a" }, .substring(Operand(\.name), from: 1) == "a"],
    [.abs(\.price) > 1, closure { $0.price.magnitude() > 1 }], [.round(\.price) > 1, closure { $0.price.rounded() > 1 }],
    [.round(\.price, digits: 2) > 1, closure { $0.price.rounded(digits: 2) > 1 }, .round(Operand(\.price), digits: 2) > 1],
    [.coalesce(\.note, "-") == "a", closure { $0.note.coalesce("-") == "a" }, .coalesce(.field(\.note), "-") == "a"],
    [.coalesce(\.note, \.name) == "a", closure { $0.note.coalesce($0.name) == "a" }, .coalesce(.field(\.note), .field(\.name)) == "a"],
    [\.price == .max(\.price), closure { $0.price == $0.price.max() }], [\.price == .min(\.price), closure { $0.price == $0.price.min() }],
    [\.price < .sum(\.price), closure { $0.price < $0.price.sum() }], [.average(\.price) > 1, closure { $0.price.average() > 1 }],
    [
      .groupConcat(\.name, separator: "-", order: .descending(\.price)) == "a",
      closure { $0.name.groupConcat(separator: "-", order: $0.price.descending()) == "a" },
      .groupConcat(.field("name"), separator: "-", order: .descending(.field("price"))) == "a",
    ],
    [
      .groupConcat(.upper(\.name), order: .ascending(\.note, nulls: .last), .descending(.abs(\.price), nulls: .first)) == "a",
      closure {
        $0.name.uppercased().groupConcat(order: $0.note.ascending(nulls: .last), $0.price.magnitude().descending(nulls: .first)) == "a"
      },
    ],
    [.sum(.abs(\.price)) > 1, closure { $0.price.magnitude().sum() > 1 }, .sum(.abs(.field("price"))) > 1],
    [.groupConcat(\.name) == "a", closure { $0.name.groupConcat() == "a" }],
    [.count(\.note) > 1, closure { $0.note.count() > 1 }], [.count(distinct: \.note) > 1, closure { $0.note.countDistinct() > 1 }],
    [
      \.price > 1 && \.price < 3, .and(\.price > 1, \.price < 3), .all([\.price > 1, \.price < 3]),
      closure { $0.price > 1 && $0.price < 3 },
    ],
    [
      \.price > 1 || \.price < 3, .or(\.price > 1, \.price < 3), .any([\.price > 1, \.price < 3]), closure { $0.price > 1 || $0.price < 3 },
    ],
    [!(\.price > 1), .not(\.price > 1), closure { !($0.price > 1) }],
    [\.parent.parent.name == "a", closure { $0.parent.parent.name == "a" }, .equal(\.parent.parent.name, "a")],
  ]

  private static func closure(_ filter: (Item.Fields) -> Filter<Item>) -> Filter<Item> { filter(Item.Fields(path: .root)) }

  @Test(arguments: spellings)
  func `operators, method twins, closures and names make equal values`(_ spellings: [Filter<Item>]) {
    #expect(Set(spellings).count == 1, "\(spellings.map(\.condition.node))")
  }

  @Test func `different meanings make different values`() { #expect(Set(Self.spellings.compactMap(\.first)).count == Self.spellings.count) }

  @Test func `a dotted name is the path that a key path spells`() {
    #expect(Item.term(\.parent.parent.name) == .field(FieldPath("parent.parent.name")))
    #expect(FieldPath("parent.name").names == ["parent", "name"] && FieldPath("parent.name").description == "parent.name")
    let named: Filter<Item> = .field("parent.name") == "a"
    #expect(named == .equal(\.parent.name, "a"))
  }

  @Test func `and of nothing is true, or of nothing false, not of not the filter itself`() {
    let filter: Filter<Item> = \.price == 3
    #expect(Filter<Item>.all([]) == .everything && .any([]) == Filter<Item>.nothing)
    #expect(!(!filter) == filter && !Filter<Item>.everything == .nothing)
    #expect((filter && .everything) == filter)
    #expect((filter || .nothing) == filter)
  }

  @Test func `lists that are joined the same way are one list`() {
    let (a, b, c): (Filter<Item>, Filter<Item>, Filter<Item>) = (\.price == 1, \.price == 2, \.price == 3)
    let (all, any) = (Filter<Item>.all([a, b, c]), Filter<Item>.any([a, b, c]))
    #expect([(a && b) && c, a && (b && c)] == [all, all])
    #expect([(a || b) || c, a || (b || c)] == [any, any])
    #expect(((a && b) || c) != all)
  }

  @Test func `a query is never changed by what is made from it`() {
    let criteria = SearchCriteria<Item>.where(\.price == 1)
    let copy = criteria
    let made = criteria.filter(\.price == 2).order(by: \.name).limit(3, offset: 1).project(.count).having(.count > 1).distinct()
    #expect(criteria == copy && made != criteria)
    #expect(made.criteria.filter == Filter<Item>.and(\.price == 1, \.price == 2).condition)
    #expect(made.criteria.limit == 3 && made.criteria.offset == 1 && made.criteria.isDistinct && made.criteria.columns.count == 1)
    #expect(criteria.hashValue == copy.hashValue)
  }

  @Test func `criteria with a filter, an order or a page in a closure equal those with key paths`() {
    #expect(SearchCriteria<Item>.where { $0.price == 3 } == .where(\.price == 3))
    #expect(SearchCriteria<Item>.all.filter { $0.price == 3 } == .all.filter(\.price == 3))
    #expect(SearchCriteria<Item>.all.having { $0.price.count() > 3 } == .all.having(.count(\.price) > 3))
    #expect(SearchCriteria<Item>.all.order(by: \.name) == .all.order(by: .ascending(\.name)))
  }

  @Test func `a filter of seven mixed terms type-checks`() {
    let filter: Filter<Item> =
      \.price >= 1 && \.price < 9 && (\.name != "x" || \.note == nil || .like(\.name, "a*")) && !(\.name == \.note) && .in(\.price, [1, 2])
    guard case .all(let parts) = filter.condition.node else {
      Issue.record("no list of parts")
      return
    }
    #expect(parts.count == 5)
  }

  @Test func `nesting beyond what engines read is told, and takes no stack with it`() {
    var filter: Filter<Item> = \.price == 1
    for level in 0..<100_000 { filter = level % 2 == 0 ? filter && \.price == 2 : filter || \.price == 3 }
    guard case .tooDeep = filter.condition.node else {
      Issue.record("not told")
      return
    }
  }

  @Test func `a query crosses threads`() async {
    let criteria = SearchCriteria<Item>.where(\.price == 3)
    #expect(await Task.detached { criteria }.value == criteria)
  }
}
