/// A section of a list: the rows that have one value in common.
public struct FetchedSection<E: Entity>: Sendable {
  /// The rows, in the list's order.
  public internal(set) var rows: FetchedRows<E>
  /// The value that they have in common; null in a list without sections.
  public let value: Scalar

  init(_ value: Scalar, _ rows: FetchedRows<E>) { (self.value, self.rows) = (value, rows) }

  /// The value as a title: text as it is, nothing for null.
  public var name: String {
    switch value {
    case .null: ""
    case .text(let text): text
    default: value.description
    }
  }
}

extension FetchedSection: Identifiable {
  /// The value, which no other section of the list has.
  public var id: Scalar { value }
}
