import DAOImport
import DAOKit
import Foundation

/// The entities into which the notes of ``CoreDataFile/notes`` are imported.
enum NoteEntities {
  static let folder: EntityDescription = EntityDescription(
    "folder", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, mapping: .excluded), Attribute("parent", .integer, optional: true),
    ],
    relationships: [.toOne("parent", folder, by: "parent"), .toMany("notes", note, by: "folder")])

  static let note: EntityDescription = EntityDescription(
    "note", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("title", .text), Attribute("kind", .text, optional: true),
      Attribute("created", .date(.iso8601), optional: true), Attribute("price", .decimal(.scaled(2)), optional: true),
      Attribute("rating", .real, optional: true), Attribute("isPinned", .bool, default: .bool(false)),
      Attribute("itemCount", .integer, optional: true), Attribute("identifier", .uuid(.blob), optional: true),
      Attribute("colour", .text, optional: true), Attribute("photo", .data, optional: true),
      Attribute("folder", .integer, optional: true), Attribute("position", .integer, optional: true),
    ],
    relationships: [
      .toOne("folder", folder, by: "folder"), .manyToMany("tags", tag, through: noteTag, by: "note", to: "tag"),
      .manyToMany("related", note, through: relatedNote, by: "one", to: "other"),
    ])

  static let tag: EntityDescription = EntityDescription(
    "tag", key: .assigned(["name"]), attributes: [Attribute("name", .text)],
    relationships: [.manyToMany("notes", note, through: noteTag, by: "tag", to: "note")])

  static let noteTag = EntityDescription(
    "noteTag", key: .assigned(["note", "tag"]),
    attributes: [
      Attribute("note", .integer, references: ForeignKey(table: "note", column: "id", onDelete: .cascade)),
      Attribute("tag", .text, references: ForeignKey(table: "tag", column: "name", onDelete: .cascade)),
      Attribute("position", .integer, optional: true),
    ])

  static let relatedNote = EntityDescription(
    "relatedNote", key: .assigned(["one", "other"]),
    attributes: [
      Attribute("one", .integer, references: ForeignKey(table: "note", column: "id", onDelete: .cascade)),
      Attribute("other", .integer, references: ForeignKey(table: "note", column: "id", onDelete: .cascade)),
    ])

  static var all: [EntityDescription] { [folder, note, tag, noteTag, relatedNote, ImportMark.entityDescription] }

  static func factory() throws -> DAOFactory { try DAOFactory(store: .inMemory(), describedBy: all) }

  /// How the colours of notes are read: a hook stands for an app's own transformer.
  static var noteMapping: ImportMapping<DynamicEntity> {
    var mapping = ImportMapping<DynamicEntity>()
    mapping["kind"] = "Z_ENT"
    mapping.instead(\.colour) { record in
      record["colour"]?.data.map { data in .text(data.map { String($0, radix: 16) }.joined(separator: "-")) } ?? .null
    }
    return mapping
  }

  /// The forms of the data that notes have.
  static let data: [String: CoreDataMapping.DataForm] = ["colour": .plain, "photo": .plain]

  /// The mappings of all entities.
  /// - Parameter data: the forms that are not plain.
  static func mappings(
    note: ImportMapping<DynamicEntity> = noteMapping, data: [String: CoreDataMapping.DataForm] = [:]
  ) -> [CoreDataMapping] {
    let plain = Self.data.filter { name, _ in !data.keys.contains { $0.lowercased() == name } }
    return [
      .entity(
        describedBy: self.note, from: "CDNote", note, data: data.merging(plain) { own, _ in own }, orders: ["tags": "position"]),
      .entity(describedBy: tag, from: "CDTag"),
      .entity(describedBy: folder, from: "CDFolder", orders: ["notes": "position"]),
    ]
  }
}

extension DAOFactory {
  /// The rows of an entity as text, in the order of their keys.
  func lines(_ entity: EntityDescription) throws -> [String] { try runtimeDAO(entity).findAll().map { "\($0)" }.sorted() }

  /// The values of attributes, each row with spaces between them, in the order of the rows' keys.
  func values(_ entity: EntityDescription, _ names: String...) throws -> [String] {
    try runtimeDAO(entity).findAll(.all.order(by: entity.key.attributes.map { .ascending(.field($0)) })).map { row in
      names.map { name in
        switch row[name] ?? .null {
        case .null: "–"
        case .text(let text): text
        case let value: "\(value)"
        }
      }.joined(separator: " ")
    }
  }
}
