import DAOKit

/// A table of pairs: `Z_1TAGS` with the columns `Z_1NOTES` and `Z_2TAGS`.
struct CoreDataJoin: Sendable, Hashable {
  /// A column that holds the Z_PK of a row.
  struct Side: Sendable, Hashable {
    let column: String
    /// The number of the entity whose rows it holds; nil in a column that says none.
    let number: Int64?
    /// The name of the relationship that leads to these rows, in lower case.
    let name: String
    /// The column of the positions of these rows in an ordered relationship.
    let order: String?

    /// Whether a mapping names the side: by the relationship's name, with or without the entity's number before it.
    func isNamed(_ path: String) -> Bool { name == path || number.map { "\($0)\(name)" == path } ?? false }

    /// Whether the name is this one with a number behind it, by which Core Data tells relationships of one name apart.
    func isNumbered(_ path: String) -> Bool { name.hasPrefix(path) && name.dropFirst(path.count).allSatisfy(\.isNumber) }
  }

  let table: String
  let sides: [Side]

  /// Nil for a table that is not one of pairs.
  init?(_ table: String, columns: [String]) {
    guard Self.number(in: table) != nil else { return nil }
    self.table = table
    let orders = columns.filter { $0.lowercased().hasPrefix("z_fok_") }
    sides = columns.filter { !orders.contains($0) }.compactMap { column in
      let (number, name) = Self.number(in: column) ?? (nil, column.lowercased())
      guard number != nil || name == "reflexive" else { return nil }
      let bare = name.last?.isNumber == true ? String(name.prefix { !$0.isNumber }) : name
      let names = number.map { ["\($0)\(name)", name, "\($0)\(bare)"] } ?? [name]
      let order = names.lazy.compactMap { name in orders.first { $0.lowercased().dropFirst(6) == name } }.first
      return Side(column: column, number: number, name: name, order: order)
    }
    if sides.count != 2 { return nil }
  }

  /// The number and the name in `Z_1TAGS`.
  private static func number(in text: String) -> (number: Int64, name: String)? {
    let text = text.lowercased()
    guard text.hasPrefix("z_") else { return nil }
    let digits = text.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
    let name = text.dropFirst(2 + digits.count)
    guard let number = Int64(digits), !name.isEmpty else { return nil }
    return (number, String(name))
  }
}
