extension AttributeType {
  /// How an exact decimal number is kept. Filters, orders, groups and sums use the number that is read, exactly; the table says what an
  /// index can answer.
  ///
  /// | form | 19.9 is kept as | declared as | an index answers |
  /// |---|---|---|---|
  /// | ``scaled(_:)``, of two digits | `1990` | `DECIMAL_INTEGER(2)` | filters, orders |
  /// | ``text`` | `'19.9'` | `DECIMAL_TEXT` | nothing |
  /// | ``numeric(_:)``, of two digits | `19.9`, a double | `DECIMAL_NUMERIC(2)` | filters but lists, `min`, `max` |
  /// | ``real(_:)``, of two digits | `19.9`, a double | `DECIMAL_REAL(2)` | filters but lists, `min`, `max` |
  ///
  /// The last two are for tables of other programs. A double that is not quite 19.9 is read as it, and equal to it: each is the decimal
  /// number of so many digits that is nearest to the double's exact binary value, of two that are as near the one farther from zero.
  public enum DecimalStorage: Sendable, Hashable {
    /// The number times 10 to the power of `digits` (0 to 18), as a 64-bit integer. A value with more digits is refused, not rounded.
    case scaled(Int)
    /// Decimal digits as text, any precision that `Decimal` has; ordered and summed as numbers by functions of the connection. The default.
    case text
    /// A number of a column that other programs declare `NUMERIC`, `DECIMAL(10,2)` or `MONEY`, rounded to `digits` (0 to 18) after the
    /// point: whole numbers are written as integers of 64 bits, others as the nearest double. A value that no double is read as is
    /// refused, and one of more digits.
    case numeric(Int)
    /// The same of a column that is declared `REAL`, `DOUBLE` or `FLOAT`, in which SQLite makes a double of every number.
    case real(Int)
  }
}

extension AttributeType.DecimalStorage {
  /// The form with a number of digits that a name in capitals says: `DECIMAL_INTEGER(2)`.
  init?(declared name: String) {
    guard let open = name.firstIndex(of: "("), name.hasSuffix(")"), let digits = Int(name[open...].dropFirst().dropLast()), 0...18 ~= digits
    else { return nil }
    switch name[..<open] {
    case "DECIMAL_INTEGER": self = .scaled(digits)
    case "DECIMAL_NUMERIC": self = .numeric(digits)
    case "DECIMAL_REAL": self = .real(digits)
    default: return nil
    }
  }
}
