import Testing

@testable import DAOSQLite

struct SwiftNameTests {
  @Test(arguments: [
    ("created_at", "createdAt"), ("Created At", "createdAt"), ("CREATED_AT", "createdAt"), ("CustomerID", "customerID"),
    ("InvoiceId", "invoiceId"),
    ("URLEntry", "urlEntry"), ("ID", "id"), ("2nd place", "column2ndPlace"), ("größe", "größe"), ("a.b\"c`d]", "aBCD"), ("***", "column"),
    ("", "column"),
    ("x\u{0}y\n// z", "xYZ"),
  ])
  func `a property is named as Swift names it`(_ column: String, _ property: String) { #expect(SwiftName.property(column) == property) }

  @Test(arguments: [
    ("order details", "OrderDetails"), ("zone", "Zone"), ("Date", "DateRow"), ("2024", "Table2024"), ("%", "Table"), ("ZEVENT", "Zevent"),
  ])
  func `a type is named as Swift names it, and as none that its code needs`(_ table: String, _ type: String) {
    #expect(SwiftName.type(table) == type)
  }

  @Test func `names that are taken or are no names of properties get others`() {
    #expect(SwiftName.distinct(["a", "a", "a2", "init", "primaryKey"]) == ["a", "a3", "a2", "initValue", "primaryKeyValue"])
    #expect(SwiftName.escaped("default") == "`default`" && SwiftName.escaped("kind") == "kind")
  }

  @Test(arguments: [
    ("track", "tracks"), ("category", "categories"), ("day", "days"), ("address", "address"), ("box", "boxes"), ("branch", "branches"),
  ])
  func `several have a plural`(_ one: String, _ several: String) { #expect(SwiftName.plural(one) == several) }
}
