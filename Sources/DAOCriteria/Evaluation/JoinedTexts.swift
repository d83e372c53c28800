/// The texts of a group that are joined in an order: by some keys, and among equal keys by their bytes.
package struct JoinedTexts {
  /// An order by one key.
  package struct Key: Sendable {
    let direction: Criteria.Ordering.Direction
    let nulls: Nulls
    let type: AttributeType

    package init(_ direction: Criteria.Ordering.Direction, nulls: Nulls, _ type: AttributeType) {
      (self.direction, self.nulls, self.type) = (direction, nulls, type)
    }
  }

  private let keys: [Key]
  private let separator: String
  private var items: [(text: String, key: [OrderedValue])] = []
  private var bytes = 0

  package init(_ keys: [Key], separator: String) {
    self.keys = keys
    self.separator = separator
  }

  /// Adds a text with its keys.
  /// - Throws: ``ValueProblem`` where all are too long.
  package mutating func add(_ text: String, _ values: [StoredValue]) throws {
    bytes += text.utf8.count + (items.isEmpty ? 0 : separator.utf8.count)
    try Function.checkLength(bytes)
    items.append((text, zip(values, keys).map { OrderedValue($0, as: $1.type) }))
  }

  /// All of them; nil where there is none.
  /// - Parameter goOn: called now and then.
  package mutating func joined(_ goOn: () throws -> Void) throws -> String? {
    if items.isEmpty { return nil }
    var comparisons = 0
    try items.sort { left, right in
      comparisons += 1
      if comparisons.isMultiple(of: 4096) { try goOn() }
      for (number, key) in keys.enumerated() {
        let order = left.key[number].compare(right.key[number], key.direction, nulls: key.nulls)
        if order != 0 { return order < 0 }
      }
      return OrderedValue.text(left.text).compare(.text(right.text)) < 0
    }
    return items.map(\.text).joined(separator: separator)
  }
}
