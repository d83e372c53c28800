import DAOKit

/// A table of ``Item``s.
package protocol ItemKind: Sendable {
  /// The table of the rows that its rows belong to.
  static var parent: any ItemKind.Type { get }
  /// Whether a row may belong to none; then it belongs to none once its parent is deleted, else it is deleted with it.
  static var mayBeAlone: Bool { get }
  static var isVersioned: Bool { get }
  static var entity: EntityDescription { get }
}

extension ItemKind {
  fileprivate static func describe(_ name: String) -> EntityDescription {
    var attributes = [
      Attribute("id", .integer), Attribute("label", .text), Attribute("owner", .integer), Attribute("number", .integer),
      Attribute("parentID", .integer, optional: mayBeAlone),
    ]
    if isVersioned { attributes.append(Attribute("version", .integer, default: 0, version: true)) }
    return EntityDescription(
      name, key: .generated("id"), attributes: attributes,
      indexes: [Index(on: "label", unique: true), Index(on: "owner")],
      relationships: [.toOne("parent", parent.entity, by: "parentID", onDelete: mayBeAlone ? .nullify : .cascade)])
  }
}

/// Shelves, which may stand within each other.
package enum Shelf: ItemKind {
  package static var parent: any ItemKind.Type { Shelf.self }
  package static let mayBeAlone = true
  package static let isVersioned = false
  package static let entity = describe("shelf")
}

/// The books of a shelf.
package enum Book: ItemKind {
  package static var parent: any ItemKind.Type { Shelf.self }
  package static let mayBeAlone = false
  package static let isVersioned = true
  package static let entity = describe("book")
}

/// Notes, which may be about a book.
package enum Note: ItemKind {
  package static var parent: any ItemKind.Type { Book.self }
  package static let mayBeAlone = true
  package static let isVersioned = true
  package static let entity = describe("note")
}

/// The marks of a note.
package enum Mark: ItemKind {
  package static var parent: any ItemKind.Type { Note.self }
  package static let mayBeAlone = false
  package static let isVersioned = false
  package static let entity = describe("mark")
}

/// The tables, by their places in a ``Model``.
package enum Kinds {
  package static let all: [any ItemKind.Type] = [Shelf.self, Book.self, Note.self, Mark.self]
  /// The place of each table's parents.
  static let parents = [0, 0, 1, 2]
}
