import DAOKit
import DAOMacros
import Foundation

@Entity("Sales People")
struct SalesPeople {
  @ID var code: String
  @Attribute(.column("full name")) var fullName: String
  @ToOne(onDelete: .nullify, declared: .foreignKey) var boss: Reference<SalesPeople>?
  @ToMany(\SalesPeople.boss) var salesPeoples: Many<SalesPeople> = Many()
  @ToMany(\Order.seller) var orders: Many<Order> = Many()
}

@Entity("customer")
struct Customer {
  @ID var id: Int64?
  @Attribute(.uuidText, .unique) var uid: UUID?
  var born: CalendarDay?
  @Attribute(.dateText("YYYY-MM-DD HH:MM:SS"), .indexed) var joined: Date
  // CHECK IN ('Y', 'N')
  @Attribute(.boolText("Y/N")) var active: Bool
  @Attribute(.text(.nocase)) var email: String?
  // CHECK >= 1 AND <= 5
  var rating: Int?
  var `default`: String?
  @Attribute(.column("type.of")) var typeOf: TypeOfValue
  @ToMany(\Order.customer) var orders: Many<Order> = Many()
  @ToMany(\Tagged.customer) var taggeds: Many<Tagged> = Many()
  @ManyToMany(by: \Tagged.customer, to: \Tagged.tag) var tags: Many<Tag> = Many()

  enum TypeOfValue: String, AttributeValue {
    case `private`
    case firmOrClub = "firm-or-club"
    case `default`
  }
}

@Entity("delivery")
struct Delivery {
  @ID var id: Int64?
  // FOREIGN KEY (line) REFERENCES order_line: not a key of one attribute that a Reference could hold
  var line: Int?
  @Attribute(.dateText("HH:MM")) var until: Date?
}

@Entity("keyless")
struct Keyless {
  @ID var rowid: Int64?
  var `class`: String
  @Attribute(.column("2nd")) var column2nd: Data?
}

@Entity("order", indexes: [Index(on: "customer", "placedAt", descending: ["placedAt"])])
struct Order {
  @ID var year: Int
  @ID var number: Int
  @ToOne @Attribute(.column("customer_id")) var customer: Reference<Customer>
  @ToOne(declared: .absent) var seller: Reference<SalesPeople>?
  @Attribute(.numeric(2)) var total: Decimal?
  @Attribute(.unixMilliseconds) var placedAt: Date
  // JSON: a Codable type of yours can take the place of String
  var payload: String?
}

@Entity("order_line")
struct OrderLine {
  @ID var id: Int64?
  // FOREIGN KEY (year, number) REFERENCES order: not a key of one attribute that a Reference could hold
  var year: Int
  // FOREIGN KEY (year, number) REFERENCES order: not a key of one attribute that a Reference could hold
  var number: Int
  // unsure: neither its declared type nor its values say what they are
  //   Scalar: 2 values for it
  var amount: Scalar?
}

@Entity("spent", source: .view(definition: nil))
struct Spent {
  @ID @ToOne(declared: .absent) var customer: Reference<Customer>
  // unsure: neither its declared type nor its values say what they are
  //   Scalar: 2 values for it
  var total: Scalar?
}

@Entity("tag")
struct Tag {
  @ID var name: String
  @ToMany(\Tagged.tag) var taggeds: Many<Tagged> = Many()
  @ManyToMany(by: \Tagged.tag, to: \Tagged.customer) var customers: Many<Customer> = Many()
}

@Entity("tagged")
struct Tagged {
  @ID @ToOne(onDelete: .cascade) var customer: Reference<Customer>
  @ID @ToOne(onDelete: .cascade, declared: .foreignKey) var tag: Reference<Tag>
}

// unsure: which attributes identify a row of the view is for you to say with @ID
@Entity("totals", source: .view(definition: nil))
struct Totals {
  @ID var year: Int
  var orders: Int?
}
