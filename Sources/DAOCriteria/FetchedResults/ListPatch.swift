/// Brings a list up to date in memory: each changed row is taken out of its place and put into its new one, and nothing is read.
struct ListPatch<E: Entity> {
  /// The changed rows do not tell what the list is now.
  struct Undecided: Error {}

  /// A row of the list, as its values say.
  private struct Standing {
    let section: Scalar
    let place: [StoredValue]
    let values: StoredRow
  }

  private let query: FetchedQuery<E>
  private let old: FetchedResults<E>
  private var sections: [FetchedSection<E>]
  // Those whose rows are others than before.
  private var changed: Set<Scalar> = []
  // The changed rows by their keys, as they were before the first change, and as they are after the last; nil where a row is not in the
  // list.
  private var touched: [[StoredValue]: (before: Standing?, after: Standing?)] = [:]

  // Holds the row that is asked about, in its first place.
  private let table = EvaluatedTable()
  private let isFound: Evaluator.Test
  private let place: [Evaluator.Value]
  private let section: Evaluator.Value?
  private let comparison: [(order: Criteria.Ordering, type: AttributeType)]

  init(_ old: FetchedResults<E>, _ query: FetchedQuery<E>) throws {
    guard query.isFollowedInMemory, let orders = query.orders else { throw Undecided() }
    (self.old, self.query) = (old, query)
    sections = old.sections
    // Rows come and go in the table, so nothing is kept.
    let statement = EvaluatedStatement(of: query.target.entity, isSnapshot: false) { [table] _ in table }
    let evaluator = try Evaluator(query.target.entity, in: statement)
    isFound = try evaluator.test(.all([query.target.scope, query.criteria.filter]))
    place = try orders.map { try evaluator.value($0.term) }
    section = try query.section.map { try evaluator.value($0) }
    comparison = orders.map { ($0, evaluator.type(of: $0.term) ?? .any) }
  }

  // MARK: Applying

  mutating func apply(_ change: ChangedRow) throws {
    let (before, after) = (try change.before.flatMap(standing), try change.after.flatMap(standing))
    if let before {
      note(before) { if $0 == nil { $0 = (before, nil) } else { $0?.after = nil } }
      try remove(before)
    }
    if let after {
      note(after) { if $0 == nil { $0 = (nil, after) } else { $0?.after = after } }
      try insert(after)
    }
  }

  private mutating func note(_ row: Standing, _ change: (inout (before: Standing?, after: Standing?)?) -> Void) {
    change(&touched[query.key(of: row.place)])
  }

  /// A row's place in the list; nil where it is not in it.
  private func standing(_ row: [StoredValue?]) throws -> Standing? {
    let attributes = query.target.entity.attributes
    let values = try zip(attributes, row).map { attribute, value in
      guard let value, attribute.type.isUsual(value) else { throw Undecided() }
      return value
    }
    table.put(values, at: 0)
    guard try isFound(.row(0)) else { return nil }
    let section = try section.map { query.sectionValue(try $0(.row(0))) } ?? .null
    return Standing(section: section, place: try place.map { try $0(.row(0)) }, values: values)
  }

  private mutating func remove(_ row: Standing) throws {
    changed.insert(row.section)
    guard let number = sections.firstIndex(where: { $0.value == row.section }),
      let position = position(of: row, in: sections[number].rows)
    else { throw Undecided() }
    sections[number].rows.remove(at: position)
  }

  private mutating func insert(_ row: Standing) throws {
    changed.insert(row.section)
    let new = FetchedRows<E>.Row(entity: try query.target.entity.read(row.values), place: row.place)
    guard let number = sections.firstIndex(where: { $0.value == row.section }) else {
      sections.append(FetchedSection(row.section, FetchedRows([new])))
      return
    }
    let rows = sections[number].rows
    let position = rows.firstPosition { compare($0.place, row.place) >= 0 }
    if position < rows.endIndex, compare(rows.row(at: position).place, row.place) == 0 { throw Undecided() }
    sections[number].rows.insert(new, at: position)
  }

  private func position(of row: Standing, in rows: FetchedRows<E>) -> Int? {
    let position = rows.firstPosition { compare($0.place, row.place) >= 0 }
    return position < rows.endIndex && compare(rows.row(at: position).place, row.place) == 0 ? position : nil
  }

  private func compare(_ left: [StoredValue], _ right: [StoredValue]) -> Int {
    for (index, (order, type)) in comparison.enumerated() {
      let (one, other) = (OrderedValue(left[index], as: type), OrderedValue(right[index], as: type))
      let comparison = one.compare(other, order.direction, nulls: order.nulls)
      if comparison != 0 { return comparison }
    }
    return 0
  }

  // MARK: The list

  /// The list with its differences; nil where there are none.
  func results() throws -> FetchedResults<E>? {
    let sections = query.section == nil ? sections : inOrder()
    let (oldNumbers, newNumbers) = (Self.numbers(old.sections), Self.numbers(sections))
    func place(_ row: Standing?, _ sections: [FetchedSection<E>], _ numbers: [Scalar: Int]) throws -> ListDifference.Place? {
      guard let row else { return nil }
      guard let number = numbers[row.section], let position = position(of: row, in: sections[number].rows) else { throw Undecided() }
      return ListDifference.Place(section: number, row: position)
    }
    let examined = try touched.values.compactMap { row -> ListDifference.Row? in
      let (before, after) = (try place(row.before, old.sections, oldNumbers), try place(row.after, sections, newNumbers))
      if before == nil, after == nil { return nil }
      return ListDifference.Row(old: before, new: after, isChanged: try isChanged(row.before, row.after))
    }
    let changes = query.differences(of: sections, from: old, examined)
    return changes?.isEmpty == true ? nil : FetchedResults(sections, changes: changes, of: query)
  }

  /// Whether a row has become another one for its readers: one number can be stored in two ways.
  private func isChanged(_ before: Standing?, _ after: Standing?) throws -> Bool {
    guard let before, let after, before.values != after.values else { return false }
    let entity = query.target.entity
    return !entity.areSame([try entity.read(before.values) as E], [try entity.read(after.values)])
  }

  private static func numbers(_ sections: [FetchedSection<E>]) -> [Scalar: Int] {
    Dictionary(sections.indices.map { (sections[$0].value, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The sections that have rows, in the order of their first rows, which only those that changed may have left.
  private func inOrder() -> [FetchedSection<E>] {
    var ordered = sections.filter { !changed.contains($0.value) }
    for section in sections where changed.contains(section.value) && !section.rows.isEmpty {
      let place = section.rows.row(at: 0).place
      ordered.insert(section, at: ordered.partitioningIndex { compare($0.rows.row(at: 0).place, place) > 0 })
    }
    return ordered
  }
}
