import DAOMacros

// Entities of a module whose names the library has too.

@Entity
struct Page {
  @ID var id: Int64?
  var title: String
  @ToMany(\Field.page) var fields: Many<Field> = Many()
}

@Entity(indexes: [DAOKit.Index(on: "page", "name", unique: true)])
struct Field {
  @ID var id: Int64?
  var name: String
  @ToOne(onDelete: .cascade) var page: Reference<Page>
}

@Entity(indexes: [.init(on: "title", unique: true)])
struct Index {
  @ID var id: Int64?
  var title: String
}

@Entity
struct Order {
  @ID var id: Int64?
  @Attribute(.indexed) var total: Int
  var note: String?
  @ToOne var index: Reference<Index>?
}

@Entity
struct Attribute {
  @ID var name: String
  var value: Double
}

@Entity
struct Filter {
  @ID var id: Int64?
  var column: String
  var isOn: Bool
}

/// A DAO of an entity with such a name, whose methods name the library's types by its module.
final class OrderDAO: DAO<Order>, @unchecked Sendable {
  func above(_ total: Int) -> DAOKit.Filter<Order> { \.total > total }

  func largest(_ count: Int, matching filter: DAOKit.Filter<Order>) throws -> DAOKit.Page<Order> {
    let byTotal: DAOKit.Order<Order> = .descending(\.total)
    return try page(.where(filter).order(by: byTotal), size: count)
  }
}
