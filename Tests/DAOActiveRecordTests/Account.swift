import DAOActiveRecord
import DAOMacros

@Entity
struct Account: EntityWithDAO {
  @ID var id: Int64?
  var name: String
  var isClosed: Bool = false

  static func makeDAO(_ context: DAOContext) -> AccountDAO { AccountDAO(context) }
}

final class AccountDAO: DAO<Account>, @unchecked Sendable {
  override var scope: Filter<Account> { \.isClosed == false }
  override func insert(_ entities: [Account]) throws -> [Account] {
    try super.insert(
      entities.map {
        var account = $0
        account.name = account.name.uppercased()
        return account
      })
  }
  func close(_ name: String) throws -> Int { try update(.where(\.name == name), set: .set(\.isClosed, to: true)) }
}
