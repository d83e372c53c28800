/// The query of a list: its criteria, its sections, and how its result is read and compared.
package struct FetchedQuery<E: Entity>: Sendable {
  package let criteria: Criteria
  package let target: EntityTarget
  /// The term whose values the sections are.
  package let section: Criteria.Term?
  /// The number of changes above which everything is to be shown anew.
  let mostChanges: Int
  /// How many rows are kept of a long list; nil for all.
  let windowSize: Int?
  /// The orders whose values are the place of a row, with the key; nil where the place is not needed.
  let orders: [Criteria.Ordering]?
  /// Whether a changed row tells its place in the list.
  let isFollowedInMemory: Bool
  // Where the key stands among the values of a place.
  private let keyPositions: [Int]

  /// A list.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` where it has no order.
  package init(
    _ criteria: Criteria, in target: EntityTarget, sections section: Criteria.Term?, window: Int? = nil, mostChanges: Int
  ) throws {
    var problems: [DAOError.CriteriaProblem] = []
    if criteria.orders.isEmpty { problems.append(.init(path: "", message: "a list needs an order: its rows would change places at will")) }
    if !criteria.columns.isEmpty || criteria.isDistinct || !criteria.having.isAlwaysTrue {
      problems.append(.init(path: "", message: "a list has entities; use observe of the factory for a report"))
    }
    if let section, section.hasAggregate {
      problems.append(.init(path: section.projectedName, message: "can't make sections: an aggregate is of many rows"))
    }
    let hasPage = criteria.limit != nil || criteria.offset != nil || criteria.after != nil
    if let window {
      if window < 1 { problems.append(.init(path: "", message: "a window has at least 1 row, not \(window)")) }
      if hasPage { problems.append(.init(path: "", message: "a list with a window has no limit and no offset of its own")) }
      for order in criteria.orders where order.term.hasAggregate {
        problems.append(.init(path: order.term.projectedName, message: "a list with a window can't be ordered by an aggregate"))
      }
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: target.entity.name, problems: problems) }
    (self.criteria, self.target, self.section) = (criteria, target, section)
    // One row more is read, to know whether there is one.
    (self.mostChanges, windowSize) = (mostChanges, window.map { min($0, .max - 1) })
    let orders = criteria.totalOrders(in: target.entity)
    let reading = AttributeReading(of: ObservedQuery(criteria, in: target, reading: .entities))
    let isOfRow = reading.isDecidable && (orders.map(\.term) + [section].compactMap { $0 }).allSatisfy(reading.isDecidable)
    // A section is named as its first row spells it, which a change of a row may change.
    let isSpelledAlike = section?.type(in: target.entity)?.isCollated != true
    // The changed rows of a view are never known.
    isFollowedInMemory = isOfRow && isSpelledAlike && !hasPage && window == nil && criteria.prefetches.isEmpty && !target.entity.isReadOnly
    self.orders = isFollowedInMemory || window != nil ? orders : nil
    let places = self.orders?.map(\.term) ?? Self.keyTerms(of: target.entity)
    keyPositions = Self.keyTerms(of: target.entity).compactMap { places.firstIndex(of: $0) }
  }

  /// The query whose changed rows are all that there is to know of a commit; nil where the list has to be read again.
  package var followed: ObservedQuery? { isFollowedInMemory ? ObservedQuery(criteria, in: target, reading: .entities) : nil }

  // MARK: Reading

  /// Reads the list. All of it is to be shown.
  package func read(from store: any EntityStore, _ run: LiveQueryRun) throws -> FetchedResults<E> {
    guard let windowSize else { return FetchedResults(sections(try rows(of: report, from: store)), changes: nil, of: self) }
    let (rows, hasBefore, hasAfter) = try rows(around: run.window.place, windowSize, from: store)
    return FetchedResults(sections(rows), changes: nil, of: self, run.window, hasRowsBefore: hasBefore, hasRowsAfter: hasAfter)
  }

  /// A row with the value of its section.
  private typealias Found = (row: FetchedRows<E>.Row, section: StoredValue)

  private func rows(of report: Report, from store: any EntityStore) throws -> [Found] {
    var found = try store.report(in: target, report.criteria) { row -> Found in
      let section = try report.section.map { try row.stored(at: $0) } ?? .null
      return (FetchedRows.Row(entity: try E(row: &row), place: try row.stored(at: report.place)), section)
    }
    if !criteria.prefetches.isEmpty {
      let tree = try PrefetchTree(criteria, of: target.entity)
      let filled = try Prefetching.fill(found.map(\.row.entity), of: target.entity, tree, from: store)
      for index in found.indices { found[index].row.entity = filled[index] }
    }
    return found
  }

  /// The rows around a place, as many as a window has: up to half of them until it, and those after. Near an end there are more on the
  /// other side.
  private func rows(
    around place: [StoredValue]?, _ size: Int, from store: any EntityStore
  ) throws -> (rows: [Found], hasBefore: Bool, hasAfter: Bool) {
    var forward = report
    forward.criteria.limit = size + 1
    forward.criteria.after = place
    let after = try rows(of: forward, from: store)
    guard place != nil else { return (Array(after.prefix(size)), false, after.count > size) }
    var backward = forward
    backward.criteria.orders = forward.criteria.orders.map(\.reversed)
    backward.criteria.after = after.first?.row.place
    let before = try rows(of: backward, from: store)
    let countBefore = min(before.count, max((size + 1) / 2, size - after.count))
    let countAfter = min(after.count, size - countBefore)
    return (before.prefix(countBefore).reversed() + after.prefix(countAfter), before.count > countBefore, after.count > countAfter)
  }

  /// A report, and its columns of the section and of a row's place.
  private struct Report {
    var criteria: Criteria
    let section: Int?
    let place: [Int]
  }

  /// The report of all attributes, the section and the orders.
  private var report: Report {
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
    let placeColumns = (orders?.map(\.term) ?? Self.keyTerms(of: entity)).map(column)
    return Report(criteria: report, section: sectionColumn, place: placeColumns)
  }

  /// Rows in order as sections, which are in the order of their first rows.
  private func sections(_ found: [Found]) -> [FetchedSection<E>] {
    guard let section else { return [FetchedSection(.null, FetchedRows(found.map(\.row)))] }
    var numbers: [Scalar: Int] = [:]
    var parts: [(value: Scalar, rows: [FetchedRows<E>.Row])] = []
    var last: (value: StoredValue, number: Int)?
    let type = section.type(in: target.entity) ?? .any
    for (row, stored) in found {
      let value = type.isCollated ? stored.identity(as: type) : stored
      // Mostly it is that of the row before.
      if let last, last.value == value {
        parts[last.number].rows.append(row)
        continue
      }
      let scalar = sectionValue(value)
      let number = numbers[scalar] ?? parts.count
      if number == parts.count {
        numbers[scalar] = number
        parts.append((sectionValue(stored), []))
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
  func key(of place: [StoredValue]) -> [StoredValue] { keyPositions.map { place[$0] } }

  private static func keyTerms(of entity: EntityDescription) -> [Criteria.Term] { entity.key.attributes.map { .field(FieldPath($0)) } }

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
    guard let before = rows(old), let now = rows(new) else { return isSame(old, new) ? nil : new }
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
    let changes = differences(of: new.sections, from: old, examined)
    if changes?.isEmpty == true, old.hasRowsBefore == new.hasRowsBefore, old.hasRowsAfter == new.hasRowsAfter { return nil }
    return new.with(changes)
  }

  /// Whether two lists have the same rows in the same order.
  private func isSame(_ old: FetchedResults<E>, _ new: FetchedResults<E>) -> Bool {
    old.sections.map(\.value) == new.sections.map(\.value) && old.sections.map(\.rows.count) == new.sections.map(\.rows.count)
      && criteria.prefetches.isEmpty && target.entity.areSame(Array(old), Array(new))
  }

  /// How a list differs from the one before; nil where there are more differences than are named.
  func differences(
    of sections: [FetchedSection<E>], from old: FetchedResults<E>, _ examined: [ListDifference.Row]
  ) -> ListChanges? {
    let changes = ListDifference.changes(from: old.sections.map(\.value), to: sections.map(\.value), of: examined)
    return changes.count > mostChanges ? nil : changes
  }
}
