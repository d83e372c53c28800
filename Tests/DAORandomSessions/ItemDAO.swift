import DAOKit

/// A DAO with the rules of ``Item``s.
package final class ItemDAO<Kind: ItemKind>: DAO<Item<Kind>>, @unchecked Sendable {
  /// Those of one owner, in order.
  func all(of owner: Int) throws -> [Item<Kind>] { try findAll(.where { $0.owner == owner }.order(by: \.label)) }

  /// The one of a label.
  func labelled(_ label: String) throws -> Item<Kind>? { try findFirst(.where { $0.label == label }) }

  /// Raises the numbers of an owner's below a limit.
  func raise(of owner: Int, below limit: Int) throws -> Int {
    try update(.where { $0.owner == owner && $0.number < limit }, set: .set(\.number, to: limit))
  }
}

extension DAOMaker {
  func items<Kind: ItemKind>(_ kind: Kind.Type) -> ItemDAO<Kind> { dao(ItemDAO<Kind>.init) }
}
