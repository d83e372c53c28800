import DAOCriteria

/// The plan of a store for a statement, as `dao.explain(criteria)` returns it.
///
/// ```swift
/// let plan = try zones.explain(.where(\.country == Reference("SK")).order(by: \.name))
/// print(plan)
/// // SEARCH zone USING INDEX zone_on_country (country=?)
/// // USE TEMP B-TREE FOR ORDER BY
/// // missing: CREATE INDEX "zone_on_country_name" ON "zone" ("country", "name")
/// plan.sorts                            // [.order]
/// plan.missingIndexes.map(\.index)      // [Index(on: "country", "name")], for the entity's description
/// ```
public struct QueryPlan: Sendable, Hashable {
  /// The statement; nil where no row can match, so that nothing is sent.
  public let statement: SQLStatement?
  /// The steps, as the engine reports them.
  public let steps: [Step]
  /// The indexes that would spare the statement scans and sorts, tried on an empty copy of the store: with them the engine chooses another
  /// plan. Their cost for each write is not considered.
  public let missingIndexes: [QueryPlan.MissingIndex]
  /// The plans of the statements that fetch the rows of relationships along.
  public let prefetches: [QueryPlan]

  /// A plan.
  public init(_ statement: SQLStatement?, steps: [Step], missingIndexes: [QueryPlan.MissingIndex] = [], prefetches: [QueryPlan] = []) {
    self.statement = statement
    self.steps = steps
    self.missingIndexes = missingIndexes
    self.prefetches = prefetches
  }

  /// One thing that is done, with the steps that it takes.
  public struct Step: Sendable, Hashable {
    /// The kind of step.
    public let kind: Kind
    /// The engine's own words: `SEARCH zone USING INDEX zone_on_name (name=?)`.
    public let detail: String
    /// The steps within it.
    public let steps: [Step]

    /// A step.
    public init(_ kind: Kind, detail: String, steps: [Step] = []) {
      self.kind = kind
      self.detail = detail
      self.steps = steps
    }
  }

  /// The kinds of step. Tables are called by their names, whatever their aliases in the statement.
  public enum Kind: Sendable, Hashable {
    /// Every row of a table is read, unless a limit ends it.
    case fullScan(table: String)
    /// Every entry of an index is read, in the index's order, unless a limit ends it. A covering index needs no lookup in the table.
    case indexScan(table: String, index: String, isCovering: Bool)
    /// Rows are found by the values of an index's first columns; without any, the least or the greatest is.
    case search(table: String, index: String, columns: [String], isCovering: Bool)
    /// Rows are found by the key that the table itself is kept by: `rowid`, or the primary key of a table without row ids.
    case keySearch(table: String, columns: [String])
    /// An index over these columns is made for this one run, from every row of the table.
    case automaticIndex(table: String, columns: [String])
    /// Rows are sorted, or distinguished, by a temporary tree. A partial sort is of rows that are in the order of the first terms already.
    case sort(Purpose, isPartial: Bool)
    /// A query within the query; one that is correlated runs for each row.
    case subquery(isCorrelated: Bool)
    /// Queries whose rows are put together.
    case union
    /// Anything else, such as a list of values that is read.
    case other
  }

  /// The purpose of a sort.
  public enum Purpose: String, Sendable, Hashable {
    /// `ORDER BY`.
    case order
    /// `GROUP BY`.
    case group
    /// `DISTINCT`.
    case distinct
  }
}

// The plan's steps by kind, in the statement and in the prefetching ones.
extension QueryPlan {
  /// The tables of which every row is read, for the rows themselves or for an index that is made for this one run.
  public var fullScans: [String] {
    kinds.compactMap { kind in
      switch kind {
      case .fullScan(let table), .automaticIndex(let table, _): table
      default: nil
      }
    }
  }

  /// The purposes for which rows are sorted, partly or wholly.
  public var sorts: [Purpose] { kinds.compactMap { if case .sort(let purpose, _) = $0 { purpose } else { nil } } }

  /// The indexes that are used, each once; those that are made for the run have no name.
  public var usedIndexes: [String] {
    var names: [String] = []
    for case .indexScan(_, let name, _) in kinds where !names.contains(name) { names.append(name) }
    for case .search(_, let name, _, _) in kinds where !names.contains(name) { names.append(name) }
    return names
  }

  /// The kinds of all steps.
  public var kinds: [Kind] { steps.flatMap(\.kinds) + prefetches.flatMap(\.kinds) }
}

extension QueryPlan.Step {
  /// The kinds of the step and of all within it.
  var kinds: [QueryPlan.Kind] { [kind] + steps.flatMap(\.kinds) }
}

extension QueryPlan: CustomStringConvertible {
  /// The steps as an indented tree, then the missing indexes.
  public var description: String {
    let own = statement == nil ? ["nothing is sent"] : steps.flatMap { $0.lines(indent: "") }
    return (own + missingIndexes.map { "missing: \($0.sql)" } + prefetches.map { "prefetch:\n\($0)" }).joined(separator: "\n")
  }
}

extension QueryPlan.Step: CustomStringConvertible {
  /// The step and those within it, indented.
  public var description: String { lines(indent: "").joined(separator: "\n") }

  fileprivate func lines(indent: String) -> [String] { [indent + detail] + steps.flatMap { $0.lines(indent: indent + "  ") } }
}
