extension Criteria {
  /// The limits of an engine for one statement. A query that takes more is refused when it is checked, before any statement is compiled. A
  /// statement that the engine refuses for a reason not counted here fails with the same error.
  ///
  /// Every store checks by the limits of an engine, the evaluator too: a query that passes a test on it is accepted by the app's store.
  public struct StatementLimits: Sendable, Hashable {
    /// How many symbols the parser may have put aside where a condition or a term is deepest: `"a" IN (SELECT "b" FROM "c" WHERE` are
    /// eight.
    public let symbols: Int
    /// The same for the terms that rows are ordered by, which stand behind the rest.
    public let orderSymbols: Int
    /// How many arguments a function takes.
    public let arguments: Int
    /// How many values a query may have. Most are one parameter of a statement each.
    public let values: Int
    /// How many columns a query may have, and how many orders.
    public let columns: Int

    /// Limits.
    public init(symbols: Int, orderSymbols: Int, arguments: Int, values: Int, columns: Int) {
      self.symbols = symbols
      self.orderSymbols = orderSymbols
      self.arguments = arguments
      self.values = values
      self.columns = columns
    }

    /// Those of SQLite: its parser has room for 100 symbols, of which the rest of the deepest statement, a page after a cursor with a
    /// scope, leaves these (measured with SQLite 3.40); the others are numbers 6, 9 and 2 of sqlite.org/limits.html.
    public static let sqlite = Criteria.StatementLimits(symbols: 75, orderSymbols: 69, arguments: 127, values: 32_766, columns: 2_000)
  }
}
