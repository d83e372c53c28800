import DAOFixtures
import DAOKit
import Foundation

/// A table or view with the type that an app declares for it.
struct TypedTable: Sendable {
  /// As the fixture calls it.
  let name: String
  let rows: @Sendable (DAOFactory) throws -> [[StoredValue]]
  let answer: @Sendable (Answer, DAOFactory) throws -> [[StoredValue]]

  init<E: Entity>(_ name: String, _ type: E.Type) {
    self.name = name
    rows = { factory in try factory.runtimeDAO(type).findAll(.all).map(Answer.stored) }
    answer = { answer, factory in
      let json = answer.json(of: E.entityDescription.name)
      let criteria = try CriteriaDecoder(allowing: .everything, budget: nil).decode(SearchCriteria<E>.self, from: json)
      return try answer.asked(of: factory.runtimeDAO(type), criteria)
    }
  }

  static let musicShop = [
    TypedTable("Performer", Performer.self), TypedTable("Record", Record.self), TypedTable("Medium", Medium.self),
    TypedTable("Genre", Genre.self), TypedTable("Piece", Piece.self), TypedTable("Mixtape", Mixtape.self),
    TypedTable("MixtapePiece", MixtapePiece.self), TypedTable("Staff", Staff.self), TypedTable("Customer", Customer.self),
    TypedTable("Bill", Bill.self), TypedTable("BillLine", BillLine.self),
  ]

  static let tradingCompany = [
    TypedTable("Product Groups", Trade.Group.self), TypedTable("Suppliers", Trade.Supplier.self),
    TypedTable("Products", Trade.Product.self),
    TypedTable("Customers", Trade.Customer.self), TypedTable("Regions", Trade.Region.self), TypedTable("Territories", Trade.Territory.self),
    TypedTable("Employees", Trade.Employee.self), TypedTable("EmployeeTerritories", Trade.Area.self),
    TypedTable("Orders", Trade.Order.self),
    TypedTable("Order Details", Trade.OrderDetail.self), TypedTable("Parcels", Trade.Parcel.self),
    TypedTable("Transaction", Trade.Transfer.self),
    TypedTable("Current Products", Trade.CurrentProduct.self), TypedTable("Order Subtotals", Trade.Subtotal.self),
    TypedTable("Products by Group", Trade.ProductByGroup.self),
  ]

  static func factory(over url: URL, of fixture: String) throws -> DAOFactory {
    // The company's references have no indexes, which a migration adds.
    let store = StoreDescription.file(url, migration: fixture == "music-shop" ? nil : Migration())
    if fixture == "music-shop" {
      return try DAOFactory(
        store: store, entities: Performer.self, Record.self, Medium.self, Genre.self, Piece.self, Mixtape.self, MixtapePiece.self,
        Staff.self,
        Customer.self, Bill.self, BillLine.self)
    }
    return try DAOFactory(
      store: store, entities: Trade.Group.self, Trade.Supplier.self, Trade.Product.self, Trade.Customer.self, Trade.Region.self,
      Trade.Territory.self, Trade.Employee.self, Trade.Area.self, Trade.Order.self, Trade.OrderDetail.self, Trade.Parcel.self,
      Trade.Transfer.self, Trade.CurrentProduct.self, Trade.Subtotal.self, Trade.ProductByGroup.self)
  }

  static func all(of fixture: String) -> [TypedTable] { fixture == "music-shop" ? musicShop : tradingCompany }
}
