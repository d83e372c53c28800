import DAOKit
import Testing

/// Expects that a store finds a query's rows by an index: without reading every row of a table, and without a sort. An index that is read
/// from its beginning, as for an order, is enough for a page or a limit alone; so is a scan of the table itself, in the order of its key
/// and without a filter.
///
/// ```swift
/// try expectPlan(of: .where(\.name == "Europe/Prague"), on: zones, usesIndex: "zone_on_name")
/// try expectPlan(of: .all.order(by: \.name), on: zones, page: PageRequest(size: 20))
/// ```
///
/// A failure shows the plan, and the missing index where one would help.
/// - Parameters:
///   - criteria: the query.
///   - dao: the DAO of the rows.
///   - page: the page that is requested, if any.
///   - index: an index that must be used.
///   - allowsFullScan: whether every row of a table, or every entry of an index, may be read.
///   - allowsSort: whether rows may be sorted.
///   - sourceLocation: where a failure is reported.
/// - Throws: ``DAOError``; ``FailedExpectation`` outside of Swift Testing.
public func expectPlan<E: Entity>(
  of criteria: SearchCriteria<E>, on dao: DAO<E>, page: PageRequest? = nil, usesIndex index: String? = nil, allowsFullScan: Bool = false,
  allowsSort: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let plan = try page.map { try dao.explain(criteria, page: $0) } ?? dao.explain(criteria)
  var problems: [String] = []
  if let index, !plan.usedIndexes.contains(index) { problems.append("does not use the index \(index)") }
  let asked = dao.refine(criteria).criteria
  let isLimited = page != nil || asked.limit != nil
  var scans = plan.fullScans
  // In the order of the key, and with nothing to leave out, a page ends the scan.
  if isLimited, plan.sorts.isEmpty, asked.filter.isAlwaysTrue, dao.scope.condition.isAlwaysTrue {
    scans.firstIndex(of: dao.entity.table).map { _ = scans.remove(at: $0) }
  }
  if !isLimited { scans += plan.indexScans }
  if !allowsFullScan, !scans.isEmpty { problems.append("looks at every row of \(scans.joined(separator: ", "))") }
  if !allowsSort, !plan.sorts.isEmpty { problems.append("sorts") }
  if !problems.isEmpty { try fail("the plan \(problems.joined(separator: ", ")):\n\(plan)", sourceLocation) }
}

extension QueryPlan {
  /// The tables of which an index is read from end to end.
  fileprivate var indexScans: [String] { kinds.compactMap { if case .indexScan(let table, _, _) = $0 { table } else { nil } } }
}
