import DAODifferential
import DAOKit
import Foundation
import TestCases

extension Fixture {
  /// A company that trades: names with blanks and of SQL's own words, composite keys and a foreign key to one, checks, views, bytes, and
  /// references whose names differ in case.
  package static let tradingCompany = Fixture(
    name: "trading-company", schema: TradingCompany.schema, tables: { TradingCompany.tables(&$0) }, answers: TradingCompany.answers)
}

enum TradingCompany {
  static let schema = [
    """
    CREATE TABLE "Product Groups" (
      "Group ID" INTEGER PRIMARY KEY AUTOINCREMENT, "Group Name" TEXT NOT NULL CHECK (length("Group Name") <= 30), "Description" TEXT,
      "Picture" BLOB)
    """,
    #"CREATE TABLE "Suppliers" ("Supplier ID" INTEGER PRIMARY KEY, "Company Name" TEXT NOT NULL, "Country" VARCHAR(15), "Home Page" TEXT)"#,
    """
    CREATE TABLE "Products" (
      "Product ID" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "Product Name" VARCHAR(40) NOT NULL UNIQUE,
      "Supplier ID" INTEGER REFERENCES suppliers ("supplier id"), "Group ID" INTEGER REFERENCES "PRODUCT GROUPS",
      "Unit Price" NUMERIC DEFAULT 0 CHECK ("Unit Price" >= 0), "Units In Stock" INTEGER DEFAULT 0 CHECK ("Units In Stock" >= 0),
      "Discontinued" BOOLEAN NOT NULL DEFAULT 0)
    """,
    """
    CREATE TABLE "Customers" (
      "Customer ID" NCHAR(5) PRIMARY KEY NOT NULL, "Company Name" VARCHAR(40) NOT NULL, \
    "City" VARCHAR(15), "Country" VARCHAR(15), "Fax" TEXT)
    """,
    #"CREATE TABLE "Regions" ("RegionID" INTEGER NOT NULL PRIMARY KEY, "Region Description" NCHAR(50) NOT NULL)"#,
    """
    CREATE TABLE "Territories" (
      "TerritoryID" NVARCHAR(20) NOT NULL, "Territory Description" NCHAR(50) NOT NULL,
      "RegionID" INTEGER NOT NULL REFERENCES "regions" ("regionid"), PRIMARY KEY ("TerritoryID"))
    """,
    """
    CREATE TABLE "Employees" (
      "Employee ID" INTEGER PRIMARY KEY, "Last Name" VARCHAR(20) NOT NULL, "First Name" VARCHAR(10) NOT NULL, \
    "Birth Date" DATE, "Photo" BLOB,
      "Notes" TEXT, "Salary" DOUBLE, "Reports To" INTEGER REFERENCES "Employees" ("Employee ID"), CHECK ("Birth Date" < '2010-01-01'))
    """,
    """
    CREATE TABLE "EmployeeTerritories" (
      "Employee ID" INTEGER NOT NULL REFERENCES "Employees", "Territory ID" NVARCHAR(20) NOT NULL REFERENCES "Territories",
      PRIMARY KEY ("Employee ID", "Territory ID")) WITHOUT ROWID
    """,
    """
    CREATE TABLE "Orders" (
      "Order ID" INTEGER NOT NULL PRIMARY KEY, "Customer ID" NCHAR(5) REFERENCES customers, "Employee ID" INTEGER REFERENCES "Employees",
      "Order Date" DATETIME, "Shipped Date" DATETIME, "Freight" NUMERIC DEFAULT 0, "Ship Country" VARCHAR(15))
    """,
    """
    CREATE TABLE "Order Details" (
      "Order ID" INTEGER NOT NULL REFERENCES "Orders", "Product ID" INTEGER NOT NULL REFERENCES "Products",
      "Unit Price" NUMERIC NOT NULL DEFAULT 0 CHECK ("Unit Price" >= 0), "Quantity" SMALLINT NOT NULL DEFAULT 1 CHECK ("Quantity" > 0),
      "Discount" REAL NOT NULL DEFAULT 0 CHECK ("Discount" >= 0 AND "Discount" <= 1), PRIMARY KEY ("Order ID", "Product ID"))
    """,
    """
    CREATE TABLE "Parcels" (
      "Parcel ID" INTEGER PRIMARY KEY, "Order ID" INTEGER, "Product ID" INTEGER, "Pieces" INTEGER NOT NULL, "Weight" REAL,
      FOREIGN KEY ("order id", "product id") REFERENCES "order details" ("Order ID", "Product ID"))
    """,
    """
    CREATE TABLE "Transaction" (
      "Index" INTEGER PRIMARY KEY, "Order" INTEGER REFERENCES "Orders", "From" TEXT, "To" TEXT, "Values" NUMERIC, "Check" BOOLEAN NOT NULL,
      "Group" TEXT, "Select" INTEGER)
    """,
    #"CREATE INDEX "Orders By Customer" ON "Orders" ("Customer ID")"#,
    #"CREATE INDEX "OrderDate" ON "Orders" ("Order Date")"#,
    #"CREATE INDEX "Details By Product" ON "Order Details" ("Product ID")"#,
    """
    CREATE VIEW "Current Products" AS
    SELECT "Product ID", "Product Name" AS "Name", "Unit Price" FROM "Products" WHERE "Discontinued" = 0
    """,
    """
    CREATE VIEW "Order Subtotals" AS
    SELECT "Order ID", count(*) AS "Lines", sum("Quantity") AS "Pieces", max("Discount") AS "Discount" \
    FROM "Order Details" GROUP BY "Order ID"
    """,
    """
    CREATE VIEW "Products by Group" AS
    SELECT g."Group Name", p."Product Name", p."Units In Stock" FROM "Product Groups" g JOIN "Products" p ON p."Group ID" = g."Group ID"
    """,
  ]

  static func tables(_ random: inout RandomSource) -> [Fixture.Table] {
    func bytes(_ count: Int) -> StoredValue { .blob(Data((0..<count).map { _ in UInt8(random.number(0...255)) })) }
    let countries = (0..<14).map { _ in random.word() }
    let groups = (1...8).map { number -> [StoredValue] in
      [
        .integer(number), .text(random.word()), .text(number == 5 ? nil : random.title()),
        number == 3 ? .null : bytes(number == 4 ? 0 : 40),
      ]
    }
    let suppliers = (1...29).map { number -> [StoredValue] in
      [
        .integer(number), .text(random.title()), .text(random.once(in: 9) ? nil : random.pick(countries)),
        .text(random.once(in: 3) ? "#http://\(random.word()).example#" : nil),
      ]
    }
    var prices: [StoredValue] = []
    let products = (1...80).map { number -> [StoredValue] in
      prices.append(MusicShop.money(random.once(in: 4) ? random.number(1...90) * 100 : random.number(150...9_900)))
      return [
        .integer(number), .text("\(random.title()) \(number)"), .integer(random.once(in: 12) ? nil : random.number(1...27)),
        .integer(random.once(in: 15) ? nil : random.number(1...7)), number == 41 ? .null : prices[number - 1],
        .integer(random.once(in: 8) ? 0 : random.number(0...125)), .integer(random.once(in: 9) ? 1 : 0),
      ]
    }
    var codes: [String] = []
    let customers = (0..<90).map { number -> [StoredValue] in
      // Capitals and small letters: keys are compared by their bytes.
      let code = "\(random.word()) \(number)".filter(\.isLetter).prefix(3)
      codes.append(number % 10 == 0 ? "\(code.lowercased())\(number + 10)" : "\(code.uppercased())\(number + 10)")
      return [
        .text(codes[number]), .text(random.title()), .text(random.surname()), .text(random.once(in: 25) ? nil : random.pick(countries)),
        .text(random.once(in: 3) ? nil : "(\(random.twoDigits(10...99))) \(random.number(100...999))"),
      ]
    }
    let regions = ["East", "West", "North ", " South"].enumerated().map { [.integer($0 + 1), .text($1)] as [StoredValue] }
    let territories = (0..<53).map { number -> [StoredValue] in
      [.text("0\(1_000 + number * 37)"), .text(random.word()), .integer(random.number(1...3))]
    }
    let superiors: [Int?] = [nil, 1, 2, 2, 2, 5, 5, 6, 8, nil]
    let employees = superiors.enumerated().map { number, superior -> [StoredValue] in
      [
        .integer(number + 1), .text(random.surname()), .text(random.word()), .text(random.midnight(1937...1966).prefix(10).description),
        random.once(in: 3) ? .null : bytes(20), .text(random.once(in: 4) ? nil : random.title()),
        random.once(in: 4) ? .null : .real(Double(random.number(1_800...5_200)) + Double(random.number(0...7)) / 8), .integer(superior),
      ]
    }
    let pairs = (1...9).flatMap { employee in
      Set((0..<random.number(2...9)).map { _ in random.number(0...45) }).sorted().map {
        [.integer(employee), territories[$0][0]] as [StoredValue]
      }
    }
    var details: [[StoredValue]] = []
    let orders = (0..<830).map { number -> [StoredValue] in
      let key = 10_248 + number
      // The last orders have no lines.
      for product in Set((0..<random.pick([1, 1, 2, 3, 3, 5])).map { _ in random.number(1...76) }).sorted() where number < 820 {
        details.append([
          .integer(key), .integer(product), prices[product - 1], .integer(random.number(1...120)),
          .real(random.pick([0, 0, 0, 0.05, 0.1, 0.15, 0.25])),
        ])
      }
      return [
        .integer(key), .text(random.once(in: 60) ? nil : random.pick(Array(codes.prefix(87)))),
        .integer(random.once(in: 40) ? nil : random.number(1...9)), .text(random.midnight(1996...1998)),
        .text(random.once(in: 20) ? nil : random.moment(1996...1998)), MusicShop.money(random.number(0...40_000)),
        .text(random.once(in: 30) ? nil : random.pick(countries)),
      ]
    }
    let parcels = (1...400).map { number -> [StoredValue] in
      let line = random.pick(details)
      let isLost = random.once(in: 20)
      return [
        .integer(number), isLost ? .null : line[0], random.once(in: 40) ? .null : line[1], .integer(random.number(1...9)),
        random.once(in: 10) ? .null : .real(Double(random.number(1...4_000)) / 64),
      ]
    }
    let transactions = (1...300).map { number -> [StoredValue] in
      [
        .integer(number), random.once(in: 10) ? .null : orders[random.number(0...829)][0], .text(random.once(in: 9) ? nil : random.word()),
        .text(random.word()), MusicShop.money(random.number(-9_000...9_000)), .integer(random.number(0...1)),
        .text(random.pick(["select", "SELECT", "from", nil])), .integer(random.once(in: 3) ? nil : random.number(-5...5)),
      ]
    }
    return [
      ("Product Groups", groups), ("Suppliers", suppliers), ("Products", products), ("Customers", customers), ("Regions", regions),
      ("Territories", territories), ("Employees", employees), ("EmployeeTerritories", pairs), ("Orders", orders),
      ("Order Details", details),
      ("Parcels", parcels), ("Transaction", transactions),
    ]
  }
}
