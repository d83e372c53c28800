import DAOImport
import DAOMacros
import Foundation

/// A person whose records have other names than the attributes.
@Entity
struct MappedPerson {
  @ID var id: Int64?
  @Attribute(.identity) var email: String
  @Attribute(.mapped(["full_name", "name.full"])) var name: String
  @Attribute(.mapped(AttributeMapping("born", dates: [.pattern("dd.MM.yyyy"), .unixMilliseconds]))) var born: Date?
  @ToOne(mapping: ["employer", "work.company"]) var company: Reference<Company>
}
