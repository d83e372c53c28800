/// Which row it is: a table of the unit's by its number, and a number that no other edited row of the unit, or of its family, has.
package struct EditID: Sendable, Hashable, Comparable {
  package let table: Int
  package let number: Int64

  package init(table: Int, number: Int64) {
    self.table = table
    self.number = number
  }

  /// In the order in which rows were first edited.
  package static func < (a: Self, b: Self) -> Bool { (a.number, a.table) < (b.number, b.table) }
}
