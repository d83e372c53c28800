extension TradingCompany {
  static let answers = ofRows + ofRelationships + ofReports + ofViews

  private static let ofRows = [
    Answer(
      "dear products, the dearest first", "Products",
      #"""
      "filter": {"compare": "Unit Price", "is": ">=", "to": {"value": 40}},
      "order": [{"by": "Unit Price", "direction": "descending"}, {"by": "Product Name"}]
      """#,
      #"SELECT * FROM Products WHERE "Unit Price" >= 40 ORDER BY "Unit Price" DESC, "Product Name""#),
    Answer(
      "products without a price, or with none to sell", "Products",
      #""filter": {"any": [{"isNull": "Unit Price"}, {"compare": "Units In Stock", "is": "==", "to": {"value": 0}}]}"#,
      #"SELECT * FROM Products WHERE "Unit Price" IS NULL OR "Units In Stock" = 0"#),
    Answer(
      "what is still sold", "Products", #""filter": {"compare": "Discontinued", "is": "==", "to": {"value": false}}"#,
      "SELECT count(*) FROM Products WHERE NOT Discontinued", .count),
    Answer(
      "lines with a discount", "Order Details",
      #"""
      "filter": {"between": "Discount", "from": {"value": 0.1}, "to": {"value": 0.2}}, \#
      "order": [{"by": "Order ID"}, {"by": "Product ID"}]
      """#,
      #"SELECT * FROM "Order Details" WHERE "Discount" BETWEEN 0.1 AND 0.2 ORDER BY "Order ID", "Product ID""#),
    Answer(
      "pages over a key of two", "Order Details",
      #""filter": {"compare": "Quantity", "is": ">", "to": {"value": 60}}, "order": [{"by": "Quantity", "direction": "descending"}]"#,
      #"SELECT * FROM "Order Details" WHERE Quantity > 60 ORDER BY Quantity DESC, "Order ID" DESC, "Product ID" DESC"#, .pages(70)),
    Answer(
      "a customer's orders", "Orders",
      #""filter": {"like": "Customer ID", "pattern": "??????"}, "order": [{"by": "Order Date"}], "limit": 40"#,
      #"SELECT * FROM Orders WHERE length("Customer ID") = 6 ORDER BY "Order Date", "Order ID" LIMIT 40"#),
    Answer(
      "keys in small letters", "Customers",
      #""filter": {"compare": "Customer ID", "is": ">=", "to": {"value": "a"}}, "order": [{"by": "Customer ID"}]"#,
      #"SELECT * FROM Customers WHERE "Customer ID" >= 'a' ORDER BY 1"#),
    Answer(
      "keys without regard to case", "Customers", #""filter": {"beginsWith": "Customer ID", "pattern": "B", "caseSensitive": false}"#,
      #"SELECT * FROM Customers WHERE "Customer ID" LIKE 'b%'"#),
    Answer(
      "not shipped", "Orders", #""filter": {"isNull": "Shipped Date"}, "order": [{"by": "Order ID"}]"#,
      #"SELECT * FROM Orders WHERE "Shipped Date" IS NULL ORDER BY 1"#),
    Answer(
      "shipped before it was ordered", "Orders", #""filter": {"compare": "Shipped Date", "is": "<", "to": "Order Date"}"#,
      #"SELECT count(*) FROM Orders WHERE "Shipped Date" < "Order Date""#, .count),
    Answer(
      "the orders of a year", "Orders",
      #"""
      "filter": {"all": [{"compare": "Order Date", "is": ">=", "to": {"value": "1997"}}, \#
      {"compare": "Order Date", "is": "<", "to": {"value": "1998"}}]}
      """#,
      #"SELECT * FROM Orders WHERE strftime('%Y', "Order Date") = '1997'"#),
    Answer(
      "freight that is no whole number", "Orders",
      #""filter": {"not": {"compare": {"round": "Freight"}, "is": "==", "to": "Freight"}}"#,
      #"SELECT count(*) FROM Orders WHERE round(Freight) <> Freight"#, .count),
    Answer(
      "words of SQL", "Transaction",
      #"""
      "filter": {"all": [{"compare": "Group", "is": "==", "to": {"value": "select"}}, \#
      {"compare": "Check", "is": "==", "to": {"value": true}},
        {"not": {"isNull": "From"}}]}, "order": [{"by": "To"}, {"by": "Index"}]
      """#,
      #"SELECT * FROM "Transaction" WHERE "Group" = 'select' AND "Check" AND "From" IS NOT NULL ORDER BY "To", "Index""#),
    Answer(
      "words of SQL without regard to case", "Transaction", #""filter": {"like": "Group", "pattern": "SELECT", "caseSensitive": false}"#,
      #"SELECT * FROM "Transaction" WHERE "Group" LIKE 'select'"#),
    Answer(
      "without their sign", "Transaction",
      #""filter": {"compare": {"abs": "Select"}, "is": ">", "to": {"value": 3}}, "order": [{"by": {"abs": "Select"}}, {"by": "Index"}]"#,
      #"SELECT * FROM "Transaction" WHERE abs("Select") > 3 ORDER BY abs("Select"), "Index""#),
    Answer(
      "negative sums", "Transaction",
      #""filter": {"compare": "Values", "is": "<", "to": {"value": -12.5}}, "order": [{"by": "Values"}], "limit": 10"#,
      #"SELECT * FROM "Transaction" WHERE "Values" < -12.5 ORDER BY "Values", "Index" LIMIT 10"#),
    Answer(
      "not among words, null too", "Transaction", #""filter": {"not": {"in": "Group", "values": ["select", "from"]}}"#,
      #"SELECT * FROM "Transaction" WHERE "Group" NOT IN ('select', 'from') OR "Group" IS NULL"#),
    Answer(
      "pictures", "Product Groups", #""filter": {"not": {"isNull": "Picture"}}, "order": [{"by": "Picture"}]"#,
      #"SELECT * FROM "Product Groups" WHERE "Picture" IS NOT NULL ORDER BY "Picture""#),
    Answer(
      "an empty picture", "Product Groups", #""filter": {"compare": "Picture", "is": "==", "to": {"value": ""}}"#,
      #"SELECT * FROM "Product Groups" WHERE "Picture" = x''"#),
    Answer(
      "without blanks", "Regions", #""filter": {"compare": {"trim": "Region Description"}, "is": "!=", "to": "Region Description"}"#,
      #"SELECT * FROM Regions WHERE trim("Region Description") <> "Region Description""#),
    Answer(
      "salaries, the unknown last", "Employees", #""order": [{"by": "Salary", "nulls": "last"}, {"by": "Employee ID"}], "limit": 8"#,
      #"SELECT * FROM Employees ORDER BY Salary NULLS LAST, "Employee ID" LIMIT 8"#),
    Answer(
      "an address", "Suppliers", ##""filter": {"like": "Home Page", "pattern": "#http://*.example#"}"##,
      ##"SELECT * FROM Suppliers WHERE "Home Page" GLOB '#http://*.example#'"##),
    Answer(
      "parcels that weigh nothing that is known", "Parcels",
      #""filter": {"compare": {"coalesce": ["Weight", {"value": {"real": 0.0}}]}, "is": "<", "to": {"value": 4.5}}"#,
      "SELECT * FROM Parcels WHERE coalesce(Weight, 0.0) < 4.5"),
  ]

  private static let ofRelationships = [
    Answer(
      "through a reference", "Orders", #""filter": {"compare": "Customer.Country", "is": "==", "to": "Ship Country"}"#,
      #"""
      SELECT o.* FROM Orders o LEFT JOIN Customers c USING ("Customer ID") WHERE c.Country IS o."Ship Country"
      """#),
    Answer(
      "through a reference that is spelled otherwise", "Products",
      #""filter": {"like": "Supplier.Company Name", "pattern": "*e*"}, "order": [{"by": "Group.Group Name"}, {"by": "Product ID"}]"#,
      #"""
      SELECT p.* FROM Products p JOIN Suppliers s USING ("Supplier ID") LEFT JOIN "Product Groups" g USING ("Group ID")
      WHERE s."Company Name" GLOB '*e*' ORDER BY g."Group Name", p."Product ID"
      """#),
    Answer(
      "products without a supplier's page", "Products", #""filter": {"isNull": "Supplier.Home Page"}"#,
      #"SELECT p.* FROM Products p LEFT JOIN Suppliers s USING ("Supplier ID") WHERE s."Home Page" IS NULL"#),
    Answer(
      "whose superior earns less", "Employees", #""filter": {"compare": "Reports To.Salary", "is": "<", "to": "Salary"}"#,
      #"SELECT e.* FROM Employees e JOIN Employees b ON b."Employee ID" = e."Reports To" WHERE b.Salary < e.Salary"#),
    Answer(
      "three steps up", "Employees", #""filter": {"not": {"isNull": "Reports To.Reports To.Reports To"}}"#,
      #"""
      SELECT e.* FROM Employees e JOIN Employees b ON b."Employee ID" = e."Reports To" JOIN Employees c ON c."Employee ID" = b."Reports To"
      WHERE c."Reports To" IS NOT NULL
      """#),
    Answer(
      "with two below them at least", "Employees",
      #""filter": {"compare": {"count": "*", "over": "Employees"}, "is": ">=", "to": {"value": 2}}"#,
      #"SELECT * FROM Employees e WHERE (SELECT count(*) FROM Employees b WHERE b."Reports To" = e."Employee ID") >= 2"#),
    Answer(
      "who works in a region", "Employees",
      #""filter": {"some": "Territories", "where": {"compare": "Region.Region Description", "is": "==", "to": {"value": "West"}}}"#,
      #"""
      SELECT * FROM Employees e WHERE EXISTS (SELECT 1 FROM EmployeeTerritories x JOIN Territories t ON t.TerritoryID = x."Territory ID"
        JOIN Regions r USING (RegionID) WHERE x."Employee ID" = e."Employee ID" AND r."Region Description" = 'West')
      """#),
    Answer(
      "territories of nobody", "Territories", #""filter": {"not": {"some": "Employees"}}, "order": [{"by": "TerritoryID"}]"#,
      #"SELECT * FROM Territories WHERE TerritoryID NOT IN (SELECT "Territory ID" FROM EmployeeTerritories) ORDER BY 1"#),
    Answer(
      "pairs by what is beyond both", "EmployeeTerritories",
      #"""
      "filter": {"all": [{"compare": "Employee.Reports To", "is": "==", "to": {"value": 2}},
        {"compare": "Territory.RegionID", "is": "!=", "to": {"value": 1}}]}
      """#,
      #"""
      SELECT x.* FROM EmployeeTerritories x JOIN Employees e USING ("Employee ID") JOIN Territories t ON t.TerritoryID = x."Territory ID"
      WHERE e."Reports To" = 2 AND t.RegionID <> 1
      """#),
    Answer(
      "lines with parcels", "Order Details",
      #""filter": {"some": "Parcels", "where": {"compare": "Pieces", "is": ">", "to": {"value": 7}}}"#,
      #"""
      SELECT * FROM "Order Details" d WHERE EXISTS
        (SELECT 1 FROM Parcels p WHERE p."Order ID" = d."Order ID" AND p."Product ID" = d."Product ID" AND Pieces > 7)
      """#),
    Answer(
      "parcels by their lines", "Parcels", #""filter": {"compare": "Order Details.Quantity", "is": ">", "to": {"value": 100}}"#,
      #"SELECT p.* FROM Parcels p JOIN "Order Details" d USING ("Order ID", "Product ID") WHERE Quantity > 100"#),
    Answer(
      "parcels of no line", "Parcels", #""filter": {"isNull": "Order Details.Quantity"}"#,
      #"SELECT * FROM Parcels WHERE "Order ID" IS NULL OR "Product ID" IS NULL"#),
    Answer(
      "orders without lines", "Orders", #""filter": {"not": {"some": "Order Details"}}"#,
      #"SELECT count(*) FROM Orders WHERE "Order ID" NOT IN (SELECT "Order ID" FROM "Order Details")"#, .count),
    Answer(
      "orders of dear things only", "Orders",
      #"""
      "filter": {"all": [{"some": "Order Details"},
        {"not": {"some": "Products", "where": {"not": {"compare": "Unit Price", "is": ">", "to": {"value": 30}}}}}]}, \#
      "order": [{"by": "Order ID"}]
      """#,
      #"""
      SELECT * FROM Orders o WHERE EXISTS (SELECT 1 FROM "Order Details" d WHERE d."Order ID" = o."Order ID") AND NOT EXISTS
        (SELECT 1 FROM "Order Details" d JOIN Products p USING ("Product ID") WHERE d."Order ID" = o."Order ID"
          AND NOT coalesce(p."Unit Price" > 30, 0)) ORDER BY 1
      """#),
    Answer(
      "orders of many pieces with a discount", "Orders",
      #"""
      "filter": {"compare": {"sum": "Quantity", "over": "Order Details", \#
      "where": {"compare": "Discount", "is": ">", "to": {"value": 0}}}, "is": ">",
        "to": {"value": 120}}
      """#,
      #"""
      SELECT * FROM Orders o \#
      WHERE (SELECT sum(Quantity) FROM "Order Details" d WHERE d."Order ID" = o."Order ID" AND Discount > 0) > 120
      """#
    ),
    Answer(
      "customers by their latest order", "Customers",
      #""order": [{"by": {"max": "Order Date", "over": "Orders"}, "direction": "descending"}, {"by": "Customer ID"}], "limit": 25"#,
      #"""
      SELECT * FROM Customers c ORDER BY (SELECT max("Order Date") FROM Orders o WHERE o."Customer ID" = c."Customer ID") DESC, 1 LIMIT 25
      """#),
    Answer(
      "customers of a supplier's things", "Customers",
      #""filter": {"some": "Orders.Products", "where": {"compare": "Supplier ID", "is": "==", "to": {"value": 4}}}"#,
      #"""
      SELECT * FROM Customers WHERE "Customer ID" IN (SELECT "Customer ID" FROM Orders JOIN "Order Details" USING ("Order ID")
        JOIN Products USING ("Product ID") WHERE "Supplier ID" = 4)
      """#),
    Answer(
      "transactions by the customer's country", "Transaction",
      #"""
      "filter": {"not": {"in": "Order.Customer.City", "values": ["nowhere"]}}, \#
      "order": [{"by": "Order.Customer.City"}, {"by": "Index"}]
      """#,
      #"""
      SELECT t.* FROM "Transaction" t LEFT JOIN Orders o ON o."Order ID" = t."Order" LEFT JOIN Customers c USING ("Customer ID")
      ORDER BY c.City, "Index"
      """#),
    Answer(
      "products sold below their price never", "Products",
      #""filter": {"not": {"some": "Order Details", "where": {"compare": "Discount", "is": ">", "to": {"value": 0.2}}}}"#,
      #"""
      SELECT * FROM Products p \#
      WHERE NOT EXISTS (SELECT 1 FROM "Order Details" d WHERE d."Product ID" = p."Product ID" AND Discount > 0.2)
      """#
    ),
  ]

  private static let ofReports = [
    Answer(
      "orders by country", "Orders",
      #"""
      "project": [{"term": "Ship Country", "group": true}, {"term": {"count": "*"}}, \#
      {"term": {"sum": "Freight"}}, {"term": {"max": "Order Date"}}],
      "order": [{"by": {"count": "*"}, "direction": "descending"}, {"by": "Ship Country"}]
      """#,
      #"SELECT "Ship Country", count(*), sum(Freight), max("Order Date") FROM Orders GROUP BY 1 ORDER BY 2 DESC, 1"#),
    Answer(
      "groups with a mean above", "Products",
      #"""
      "project": [{"term": "Group ID", "group": true}, {"term": {"average": "Unit Price"}}, {"term": {"count": "Unit Price"}}],
      "having": {"compare": {"average": "Units In Stock"}, "is": ">", "to": {"value": 50.0}}, "order": [{"by": "Group ID"}]
      """#,
      #"SELECT "Group ID", avg("Unit Price"), count("Unit Price") FROM Products GROUP BY 1 HAVING avg("Units In Stock") > 50 ORDER BY 1"#),
    Answer(
      "what each group and country sells", "Products",
      #"""
      "project": [{"term": "Group.Group Name", "group": true}, {"term": "Supplier.Country", "group": true}, \#
      {"term": {"sum": "Units In Stock"}}],
      "order": [{"by": "Group.Group Name"}, {"by": "Supplier.Country"}]
      """#,
      #"""
      SELECT g."Group Name", s.Country, sum("Units In Stock") FROM Products LEFT JOIN "Product Groups" g USING ("Group ID")
      LEFT JOIN Suppliers s USING ("Supplier ID") GROUP BY 1, 2 ORDER BY 1, 2
      """#),
    Answer(
      "countries of customers", "Customers",
      #""project": [{"term": "Country"}], "distinct": true, "order": [{"by": "Country", "direction": "descending"}]"#,
      "SELECT DISTINCT Country FROM Customers ORDER BY 1 DESC"),
    Answer(
      "how many things to how many customers", "Orders",
      #""project": [{"term": {"countDistinct": "Customer ID"}}, {"term": {"count": "Customer ID"}}, {"term": {"count": "*"}}]"#,
      #"SELECT count(DISTINCT "Customer ID"), count("Customer ID"), count(*) FROM Orders"#),
    Answer(
      "sums of transactions", "Transaction",
      #"""
      "filter": {"compare": "Check", "is": "==", "to": {"value": true}},
      "project": [{"term": "Group", "group": true}, {"term": {"sum": "Values"}}, {"term": {"min": "Values"}}, {"term": {"sum": "Select"}}],
      "order": [{"by": "Group"}]
      """#,
      #"SELECT "Group", sum("Values"), min("Values"), sum("Select") FROM "Transaction" WHERE "Check" GROUP BY 1 ORDER BY 1"#),
    Answer(
      "sales by product group", "Order Details",
      #"""
      "project": [{"term": "Product.Group.Group Name", "group": true}, \#
      {"term": {"sum": "Quantity"}}, {"term": {"countDistinct": "Order.Customer ID"}}],
      "order": [{"by": {"sum": "Quantity"}, "direction": "descending"}]
      """#,
      #"""
      SELECT g."Group Name", sum(Quantity), count(DISTINCT "Customer ID") FROM "Order Details" JOIN Orders USING ("Order ID")
      JOIN Products USING ("Product ID") LEFT JOIN "Product Groups" g USING ("Group ID") GROUP BY 1 ORDER BY 2 DESC
      """#),
    Answer(
      "weights", "Parcels",
      #"""
      "project": [{"term": {"sum": "Weight"}}, {"term": {"average": "Weight"}}, \#
      {"term": {"min": "Weight"}}, {"term": {"count": "Weight"}}]
      """#,
      "SELECT sum(Weight), avg(Weight), min(Weight), count(Weight) FROM Parcels"),
    Answer(
      "employees with what they sold", "Employees",
      #"""
      "project": [{"term": {"upper": "First Name"}}, {"term": "Reports To.Last Name"}, {"term": {"count": "*", "over": "Orders"}},
        {"term": {"max": "Freight", "over": "Orders"}}, {"term": {"count": "*", "over": "Territories"}}], "order": [{"by": "Employee ID"}]
      """#,
      #"""
      SELECT upper(e."First Name"), b."Last Name", (SELECT count(*) FROM Orders o WHERE o."Employee ID" = e."Employee ID"),
        (SELECT max(Freight) FROM Orders o WHERE o."Employee ID" = e."Employee ID"),
        (SELECT count(*) FROM EmployeeTerritories x WHERE x."Employee ID" = e."Employee ID")
      FROM Employees e LEFT JOIN Employees b ON b."Employee ID" = e."Reports To" ORDER BY e."Employee ID"
      """#),
    Answer(
      "the salary above the mean", "Employees",
      #"""
      "filter": {"compare": "Salary", "is": ">", "to": {"average": "Salary"}}, \#
      "project": [{"term": "Last Name"}, {"term": {"round": "Salary"}}], \#
      "order": [{"by": "Last Name"}]
      """#,
      #"SELECT "Last Name", round(Salary) FROM Employees WHERE Salary > (SELECT avg(Salary) FROM Employees) ORDER BY 1"#),
    Answer(
      "quantities that many have", "Order Details",
      #"""
      "project": [{"term": "Quantity", "group": true}], \#
      "having": {"compare": {"countDistinct": "Product ID"}, "is": ">", "to": {"value": 20}}, \#
      "order": [{"by": "Quantity"}], "limit": 5
      """#,
      #"SELECT Quantity FROM "Order Details" GROUP BY 1 HAVING count(DISTINCT "Product ID") > 20 ORDER BY 1 LIMIT 5"#),
  ]

  private static let ofViews = [
    Answer(
      "a view's rows", "Current Products",
      #""filter": {"compare": "Unit Price", "is": ">", "to": {"value": 50}}, "order": [{"by": "Name"}]"#,
      #"SELECT * FROM "Current Products" WHERE "Unit Price" > 50 ORDER BY Name"#),
    Answer(
      "a view's report", "Products by Group",
      #"""
      "project": [{"term": "Group Name", "group": true}, {"term": {"sum": "Units In Stock"}}, {"term": {"max": "Product Name"}}], \#
      "order": [{"by": "Group Name"}]
      """#,
      #"SELECT "Group Name", sum("Units In Stock"), max("Product Name") FROM "Products by Group" GROUP BY 1 ORDER BY 1"#),
    Answer(
      "a view over groups", "Order Subtotals",
      #"""
      "filter": {"all": [{"compare": "Lines", "is": ">", "to": {"value": 3}}, \#
      {"compare": "Discount", "is": "==", "to": {"value": 0.25}}]}, \#
      "order": [{"by": "Pieces"}, {"by": "Order ID"}], "limit": 30
      """#,
      #"SELECT * FROM "Order Subtotals" WHERE "Lines" > 3 AND Discount = 0.25 ORDER BY Pieces, "Order ID" LIMIT 30"#),
  ]
}
