import DAOKit
import Foundation

/// The entity of the store that is waited for.
struct Item: Entity {
  var id: Int64?
  var name: String

  static let entityDescription = EntityDescription(
    "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var name: Field<String> { path.field("name") }
  }

  init(_ name: String) { self.name = name }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try id.write(to: &row)
    try name.write(to: &row)
  }
}

/// A store in a folder.
func store(_ folder: URL) throws -> DAOFactory {
  try DAOFactory(store: .file(folder.appendingPathComponent("\(UUID().uuidString).sqlite")), entities: Item.self)
}

/// A thread that has a session until it is released.
final class Session: Sendable {
  private let end = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable (_ hold: @escaping @Sendable () -> Void) throws -> Void) {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [end] in
      do {
        try body {
          begun.signal()
          end.wait()
        }
      } catch { fatalError("\(error)") }
    }
    begun.wait()
  }

  func release() { end.signal() }
}
