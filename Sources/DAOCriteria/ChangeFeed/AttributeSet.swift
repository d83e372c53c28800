/// Attributes of one entity, by their positions.
package struct AttributeSet: Sendable, Hashable {
  // Of the attributes 0 to 63, and of those from 64 on where there are any.
  private var first: UInt64 = 0
  private var others: [UInt64] = []

  package init() {}

  /// The first `count` attributes.
  package init(first count: Int) { for position in 0..<count { insert(position) } }

  package var isEmpty: Bool { first == 0 && others.allSatisfy { $0 == 0 } }

  @inline(__always)
  package mutating func insert(_ position: Int) {
    if position < 64 { first |= 1 << UInt64(position) } else { insertOther(position - 64) }
  }

  private mutating func insertOther(_ position: Int) {
    while others.count <= position / 64 { others.append(0) }
    others[position / 64] |= 1 << UInt64(position % 64)
  }

  package mutating func formUnion(_ other: AttributeSet) {
    first |= other.first
    while others.count < other.others.count { others.append(0) }
    for index in other.others.indices { others[index] |= other.others[index] }
  }

  package func contains(_ position: Int) -> Bool {
    if position < 64 { return first & 1 << UInt64(position) != 0 }
    let word = (position - 64) / 64
    return word < others.count && others[word] & 1 << UInt64(position % 64) != 0
  }

  /// The names of the attributes.
  func names(in entity: EntityDescription) -> Set<String> {
    Set(entity.attributes.indices.filter(contains).map { entity.attributes[$0].name })
  }
}
