import DAOMacros
import Foundation

@Entity
struct Person {
  @ID var id: Int64?
  @Attribute(.unique, .identity) var email: String
  @Attribute(.indexed) var lastName: String
  var firstName: String
  var age: Int
  var city: String?
  var salary: Decimal?
  var born: Date?
  @ToOne(onDelete: .nullify) var company: Reference<Company>?
}

extension Person {
  /// The stored persons, whose keys are 1 to 5.
  static let samples = [
    Person(
      email: "ann@example.org", lastName: "Lee", firstName: "Ann", age: 31, city: "Brno", salary: 1000,
      born: Date(timeIntervalSince1970: 641_520_000), company: 1),
    Person(email: "bob@example.org", lastName: "Novák", firstName: "Bob", age: 25, company: 1),
    Person(email: "eva@example.org", lastName: "novak", firstName: "Eva", age: 61, city: "Praha", salary: 2000.5, company: 2),
    Person(email: "jan@example.org", lastName: "Moser", firstName: "Jan", age: 95, born: Date(timeIntervalSince1970: -1_220_000_000)),
    Person(email: "ida@example.org", lastName: "Berg", firstName: "Ida", age: 35, city: "Brno", company: 2),
  ]
}
