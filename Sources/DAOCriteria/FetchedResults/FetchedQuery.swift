/// The query of a list: its criteria, its sections, and how its result is read and compared.
package struct FetchedQuery<E: Entity>: Sendable {
  package let criteria: Criteria
  package let target: EntityTarget
  /// The term whose values the sections are.
  package let section: Criteria.Term?
  /// The number of changes above which everything is to be shown anew.
  let mostChanges: Int
  /// The orders by which the list is brought up to date, with the key; nil where a changed row does not tell its place in the list.
  let orders: [Criteria.Ordering]?

  /// A list.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` where it has no order.
  package init(_ criteria: Criteria, in target: EntityTarget, sections section: Criteria.Term?, mostChanges: Int) throws {
    var problems: [DAOError.CriteriaProblem] = []
    if criteria.orders.isEmpty { problems.append(.init(path: "", message: "a list needs an order: its rows would change places at will")) }
    if !criteria.columns.isEmpty || criteria.isDistinct || !criteria.having.isAlwaysTrue {
      problems.append(.init(path: "", message: "a list has entities; use observe of the factory for a report"))
    }
    if let section, section.hasAggregate {
      problems.append(.init(path: section.projectedName, message: "can't make sections: an aggregate is of many rows"))
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: target.entity.name, problems: problems) }
    (self.criteria, self.target, self.section, self.mostChanges) = (criteria, target, section, mostChanges)
    let orders = criteria.totalOrders(in: target.entity)
    let isWhole = criteria.limit == nil && criteria.offset == nil && criteria.after == nil && criteria.prefetches.isEmpty
    let reading = AttributeReading(of: ObservedQuery(criteria, in: target, reading: .entities))
    let isOfRow = reading.isDecidable && (orders.map(\.term) + [section].compactMap { $0 }).allSatisfy(reading.isDecidable)
    self.orders = isWhole && isOfRow ? orders : nil
  }

  /// The query whose changed rows are all that there is to know of a commit; nil where the list has to be read again.
  package var followed: ObservedQuery? { orders == nil ? nil : ObservedQuery(criteria, in: target, reading: .entities) }

  // MARK: Reading

  /// Reads the list. All of it is to be shown.
  package func read(from store: any EntityStore) throws -> FetchedResults<E> {
    let (report, sectionColumn, placeColumns) = report
    let entity = target.entity
    var values: [StoredValue] = []
    var rows = try store.report(in: target, report) { row in
      if let sectionColumn { values.append(try row.stored(at: sectionColumn)) }
      return FetchedRows.Row(entity: try E(row: &row), place: try row.stored(at: placeColumns))
    }
    if !criteria.prefetches.isEmpty {
      let tree = try PrefetchTree(criteria, of: entity)
      let filled = try Prefetching.fill(rows.map(\.entity), of: entity, tree, from: store)
      for index in rows.indices { rows[index].entity = filled[index] }
    }
    return FetchedResults(sections(rows, values), changes: nil, of: self)
  }

  /// The report of all attributes, the section and the orders; and the columns of the section and of a row's place.
  private var report: (criteria: Criteria, section: Int?, place: [Int]) {
    let entity = target.entity
    var report = criteria
    report.prefetches = []
    report.orders = criteria.totalOrders(in: entity)
    report.columns = entity.attributes.map { Criteria.Column(.field(FieldPath($0.name))) }
    // Longer than all of theirs, so that it is no attribute's.
    let name = entity.attributes.map(\.name).joined(separator: " ")
    func column(of term: Criteria.Term) -> Int {
      if case .field(let path) = term, let position = entity.position(of: path.description) { return position }
      report.columns.append(Criteria.Column(term, name: "\(name) \(report.columns.count)"))
      return report.columns.count - 1
    }
    let sectionColumn = section.map(column)
    let terms = orders.map { $0.map(\.term) } ?? entity.key.attributes.map { .field(FieldPath($0)) }
    let placeColumns = terms.map(column)
    return (report, sectionColumn, placeColumns)
  }

  /// Rows in order as sections, which are in the order of their first rows.
  private func sections(_ rows: [FetchedRows<E>.Row], _ values: [StoredValue]) -> [FetchedSection<E>] {
    guard section != nil else { return [FetchedSection(.null, FetchedRows(rows))] }
    var numbers: [Scalar: Int] = [:]
    var parts: [(value: Scalar, rows: [FetchedRows<E>.Row])] = []
    var last: (value: StoredValue, number: Int)?
    for (row, value) in zip(rows, values) {
      // Mostly it is that of the row before.
      if let last, last.value == value {
        parts[last.number].rows.append(row)
        continue
      }
      let scalar = sectionValue(value)
      let number = numbers[scalar] ?? parts.count
      if number == parts.count {
        numbers[scalar] = number
        parts.append((scalar, []))
      }
      parts[number].rows.append(row)
      last = (value, number)
    }
    return parts.map { FetchedSection($0.value, FetchedRows($0.rows)) }
  }

  /// A section's value; one that is stored in another form than its attribute's has the value of that form.
  func sectionValue(_ stored: StoredValue) -> Scalar {
    let type = section?.type(in: target.entity) ?? .any
    return (try? type.scalar(stored)) ?? (try? AttributeType.any.scalar(stored)) ?? .null
  }

  // MARK: Comparing

  /// The key of a row that has a place.
  func key(of place: [StoredValue]) -> [StoredValue] {
    guard let orders else { return place }
    return target.entity.key.attributes.compactMap { name in
      orders.firstIndex { $0.term == .field(FieldPath(name)) }.map { place[$0] }
    }
  }

  /// A list that was read again, with its differences from the one before; nil where there is none.
  func compare(_ old: FetchedResults<E>, _ new: FetchedResults<E>) -> FetchedResults<E>? {
    typealias Found = (place: ListDifference.Place, entity: E)
    func rows(_ results: FetchedResults<E>) -> [[StoredValue]: Found]? {
      var rows: [[StoredValue]: Found] = Dictionary(minimumCapacity: results.count)
      for (number, section) in results.sections.enumerated() {
        for position in section.rows.indices {
          let row = section.rows.row(at: position)
          // In a view keys may repeat.
          guard rows.updateValue((.init(section: number, row: position), row.entity), forKey: key(of: row.place)) == nil else { return nil }
        }
      }
      return rows
    }
    guard let before = rows(old), let now = rows(new) else { return new }
    // The entities themselves don't say whether the rows fetched along are the same.
    let mayDiffer = !criteria.prefetches.isEmpty
    func isChanged(_ old: E, _ new: E) -> Bool { mayDiffer || !target.entity.areSame([old], [new]) }
    var examined: [ListDifference.Row] = []
    var changeCount = 0
    for (key, row) in now {
      let old = before[key]
      let isChanged = old.map { isChanged($0.entity, row.entity) } ?? false
      if isChanged { changeCount += 1 }
      if changeCount > mostChanges { return new }
      examined.append(.init(old: old?.place, new: row.place, isChanged: isChanged))
    }
    for (key, row) in before where now[key] == nil { examined.append(.init(old: row.place, new: nil, isChanged: false)) }
    return results(new.sections, from: old, examined)
  }

  /// A list with its differences from the one before; nil where there is none.
  func results(_ sections: [FetchedSection<E>], from old: FetchedResults<E>, _ examined: [ListDifference.Row]) -> FetchedResults<E>? {
    let changes = ListDifference.changes(from: old.sections.map(\.value), to: sections.map(\.value), of: examined)
    if changes.isEmpty { return nil }
    return FetchedResults(sections, changes: changes.count > mostChanges ? nil : changes, of: self)
  }
}
