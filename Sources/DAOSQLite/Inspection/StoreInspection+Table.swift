import DAOCriteria

extension StoreInspection {
  /// A table or view of a store, with the forms of its columns.
  public struct Table: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Whether it is a view.
    public let isView: Bool
    /// Its columns.
    public let columns: [Column]
    /// The columns whose values are in no two rows that were read, and never null: what may identify a row of a view.
    public let distinctColumns: [String]
    /// How many rows were read.
    public let rowCount: Int
    /// What was not understood, each in one sentence: checks, values that are no UTF-8, a view that can't be read.
    public let problems: [String]

    /// The column of this name, if there is one.
    public subscript(column: String) -> Column? { columns.first { SchemaName.same($0.name, column) } }
  }
}

extension StoreInspection.Table: CustomStringConvertible {
  /// The table with its columns, a line each.
  public var description: String {
    let first = "\(isView ? "view" : "table") \(name), \(rowCount) rows"
    let lines = columns.flatMap { "\($0)".split(separator: "\n") } + problems.map { "not understood: \($0)" }
    return ([first] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}
