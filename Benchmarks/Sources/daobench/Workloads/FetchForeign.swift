import DAOKit
import Foundation

extension Workload {
  /// All of 100,000 rows of a table that another program made, with dates in columns `DATETIME` and a price in one `NUMERIC`.
  static let fetchForeign = Workload("fetch-foreign", per: "row", count: 100_000, limit: 1.15) { stage in
    let url = try stage.store("sales") { database in
      try database.execute(Sale.table)
      let statement = try CStatement(database, "INSERT INTO sale VALUES (?, ?, datetime(?, 'unixepoch'), datetime(?, 'unixepoch'), ?)")
      for sale in Sale.samples(100_000) {
        statement.bind(sale.id, 1)
        statement.bind(sale.customer, 2)
        statement.bind(Int64(sale.sold.timeIntervalSince1970), 3)
        statement.bind(sale.shipped.map { Int64($0.timeIntervalSince1970) }, 4)
        statement.bind("\(sale.price)", 5)
        try statement.run()
      }
    }
    let database = try CDatabase(url, isReadOnly: true)
    let statement = try CStatement(database, "SELECT id, customer, sold, shipped, price FROM sale")
    let sales = try DAOFactory(store: .file(url), entities: Sale.self).runtimeDAO(Sale.self)
    return [
      Contestant(.c) {
        try statement.sales()
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try sales.findAll()
      } digest: {
        digest($0)
      },
    ]
  } expected: { _ in
    digest(Sale.samples(100_000))
  }
}
