import DAOMacros
import Foundation

/// The company's tables and views as an app would declare them, in a place of their own: both fixtures have customers.
enum Trade {
  @Entity(table: "product groups")
  struct Group {
    @ID @Attribute(.column("group id"), .renamedFrom("Group ID")) var id: Int64?
    @Attribute(.column("Group Name"), .renamedFrom("Group Name")) var name: String
    @Attribute(.column("Description")) var text: String?
    @Attribute(.column("Picture"), .renamedFrom("Picture")) var picture: Data?
    @ToMany(\Product.group, renamedFrom: ["Products"]) var products: Many<Product> = Many()
  }

  @Entity(table: "SUPPLIERS")
  struct Supplier {
    @ID @Attribute(.column("Supplier ID"), .renamedFrom("Supplier ID")) var id: Int64?
    @Attribute(.column("Company Name"), .renamedFrom("Company Name")) var name: String
    @Attribute(.column("Country"), .renamedFrom("Country")) var country: String?
    @Attribute(.column("Home Page"), .renamedFrom("Home Page")) var page: String?
  }

  @Entity(table: "products")
  struct Product {
    @ID @Attribute(.column("product id"), .renamedFrom("Product ID")) var id: Int64?
    @Attribute(.column("product name"), .unique, .renamedFrom("Product Name")) var name: String
    @ToOne @Attribute(.column("supplier id"), .renamedFrom("Supplier ID"), .renamedFrom("Supplier")) var supplier: Reference<Supplier>?
    @ToOne @Attribute(.column("Group ID"), .renamedFrom("Group ID"), .renamedFrom("Group")) var group: Reference<Group>?
    @Attribute(.column("Unit Price"), .renamedFrom("Unit Price")) var price: Double?
    @Attribute(.column("Units In Stock"), .renamedFrom("Units In Stock")) var stock: Int?
    @Attribute(.column("Discontinued"), .renamedFrom("Discontinued")) var isDiscontinued: Bool
    @ToMany(\OrderDetail.product, renamedFrom: ["Order Details"]) var details: Many<OrderDetail> = Many()
    @ManyToMany(by: \OrderDetail.product, to: \OrderDetail.order, renamedFrom: ["Orders"]) var orders: Many<Order> = Many()
  }

  @Entity(table: "Customers")
  struct Customer {
    @ID @Attribute(.column("CUSTOMER ID"), .renamedFrom("Customer ID")) var code: String
    @Attribute(.column("Company Name"), .renamedFrom("Company Name")) var name: String
    @Attribute(.column("City"), .renamedFrom("City")) var city: String?
    @Attribute(.column("Country"), .renamedFrom("Country")) var country: String?
    @Attribute(.column("Fax")) var fax: String?
    @ToMany(\Order.customer, renamedFrom: ["Orders"]) var orders: Many<Order> = Many()
  }

  @Entity(table: "Regions")
  struct Region {
    @ID @Attribute(.column("RegionID"), .renamedFrom("RegionID")) var id: Int64?
    @Attribute(.column("Region Description"), .renamedFrom("Region Description")) var name: String
  }

  @Entity(table: "Territories")
  struct Territory {
    @ID @Attribute(.column("TerritoryID"), .renamedFrom("TerritoryID")) var code: String
    @Attribute(.column("Territory Description"), .renamedFrom("Territory Description")) var name: String
    @ToOne @Attribute(.column("RegionID"), .renamedFrom("RegionID"), .renamedFrom("Region")) var region: Reference<Region>
    @ManyToMany(by: \Area.territory, to: \Area.employee, renamedFrom: ["Employees"]) var employees: Many<Employee> = Many()
  }

  @Entity(table: "employees")
  struct Employee {
    @ID @Attribute(.column("Employee ID"), .renamedFrom("Employee ID")) var id: Int64?
    @Attribute(.column("Last Name"), .renamedFrom("Last Name")) var lastName: String
    @Attribute(.column("First Name"), .renamedFrom("First Name")) var firstName: String
    @Attribute(.column("Birth Date")) var birthDate: Scalar
    @Attribute(.column("Photo")) var photo: Data?
    @Attribute(.column("Notes")) var notes: String?
    @Attribute(.column("Salary"), .renamedFrom("Salary")) var salary: Double?
    @ToOne @Attribute(.column("Reports To"), .renamedFrom("Reports To")) var superior: Reference<Employee>?
    @ToMany(\Employee.superior, renamedFrom: ["Employees"]) var team: Many<Employee> = Many()
    @ToMany(\Order.employee, renamedFrom: ["Orders"]) var orders: Many<Order> = Many()
    @ManyToMany(by: \Area.employee, to: \Area.territory, renamedFrom: ["Territories"]) var territories: Many<Territory> = Many()
  }

  @Entity(table: "employeeterritories")
  struct Area {
    @ID @ToOne @Attribute(.column("employee id"), .renamedFrom("Employee")) var employee: Reference<Employee>
    @ID @ToOne @Attribute(.column("territory id"), .renamedFrom("Territory")) var territory: Reference<Territory>
  }

  @Entity(table: "Orders")
  struct Order {
    @ID @Attribute(.column("Order ID"), .renamedFrom("Order ID")) var id: Int64?
    @ToOne @Attribute(.column("Customer ID"), .renamedFrom("Customer ID"), .renamedFrom("Customer")) var customer: Reference<Customer>?
    @ToOne @Attribute(.column("Employee ID"), .renamedFrom("Employee ID")) var employee: Reference<Employee>?
    @Attribute(.column("Order Date"), .renamedFrom("Order Date")) var date: Scalar
    @Attribute(.column("Shipped Date"), .renamedFrom("Shipped Date")) var shipped: Scalar
    @Attribute(.column("Freight"), .renamedFrom("Freight")) var freight: Double?
    @Attribute(.column("Ship Country"), .renamedFrom("Ship Country")) var country: String?
    @ToMany(\OrderDetail.order, renamedFrom: ["Order Details"]) var details: Many<OrderDetail> = Many()
    @ManyToMany(by: \OrderDetail.order, to: \OrderDetail.product, renamedFrom: ["Products"]) var products: Many<Product> = Many()
  }

  @Entity(table: "ORDER DETAILS")
  struct OrderDetail {
    @ID @ToOne @Attribute(.column("Order ID"), .renamedFrom("Order ID"), .renamedFrom("Order")) var order: Reference<Order>
    @ID @ToOne @Attribute(.column("Product ID"), .renamedFrom("Product ID"), .renamedFrom("Product")) var product: Reference<Product>
    @Attribute(.column("Unit Price"), .renamedFrom("Unit Price")) var price: Double
    @Attribute(.column("Quantity"), .renamedFrom("Quantity")) var quantity: Int
    @Attribute(.column("Discount"), .renamedFrom("Discount")) var discount: Double
    @ToMany(\Parcel.order, \Parcel.product, renamedFrom: ["Parcels"]) var parcels: Many<Parcel> = Many()
  }

  /// Of a line, which has a key of two attributes: it holds them as its own.
  @Entity(table: "Parcels")
  struct Parcel {
    @ID @Attribute(.column("Parcel ID")) var id: Int64?
    @Attribute(.column("Order ID")) var order: Int64?
    @Attribute(.column("Product ID")) var product: Int64?
    @Attribute(.column("Pieces"), .renamedFrom("Pieces")) var pieces: Int
    @Attribute(.column("Weight"), .renamedFrom("Weight")) var weight: Double?
  }

  @Entity(table: "Transaction")
  struct Transfer {
    @ID @Attribute(.column("Index"), .renamedFrom("Index")) var index: Int64?
    @ToOne @Attribute(.column("Order"), .renamedFrom("Order")) var order: Reference<Order>?
    @Attribute(.column("From"), .renamedFrom("From")) var from: String?
    @Attribute(.column("To"), .renamedFrom("To")) var to: String?
    @Attribute(.column("Values"), .renamedFrom("Values")) var values: Double?
    @Attribute(.column("Check"), .renamedFrom("Check")) var isChecked: Bool
    @Attribute(.column("Group"), .renamedFrom("Group")) var group: String?
    @Attribute(.column("Select"), .renamedFrom("Select")) var select: Int?
  }

  @Entity("currentProduct", table: "current products", source: .view(definition: nil))
  struct CurrentProduct {
    @ID @Attribute(.column("Product ID")) var id: Int64
    @Attribute(.column("Name"), .renamedFrom("Name")) var name: String
    @Attribute(.column("Unit Price"), .renamedFrom("Unit Price")) var price: Double?
  }

  @Entity(table: "Order Subtotals", source: .view(definition: nil))
  struct Subtotal {
    @ID @Attribute(.column("Order ID"), .renamedFrom("Order ID")) var order: Int64
    @Attribute(.column("Lines"), .renamedFrom("Lines")) var lines: Int
    @Attribute(.column("Pieces"), .renamedFrom("Pieces")) var pieces: Int
    @Attribute(.column("Discount"), .renamedFrom("Discount")) var discount: Double
  }

  @Entity(table: "Products By Group", source: .view(definition: nil))
  struct ProductByGroup {
    @ID @Attribute(.column("Group Name"), .renamedFrom("Group Name")) var group: String
    @ID @Attribute(.column("Product Name"), .renamedFrom("Product Name")) var product: String
    @Attribute(.column("Units In Stock"), .renamedFrom("Units In Stock")) var stock: Int?
  }
}
