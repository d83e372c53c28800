import DAOKit
import Foundation

/// A store that Core Data wrote (`NSSQLiteStoreType`), to examine its rows and to import them once.
///
/// ```swift
/// let old = try CoreDataStore(url)
/// print(old.entities.map(\.name))                                   // ["CDFolder", "CDNote", "CDTag"]
/// try old.forEachRow(of: "CDNote") { row in print(row["title"] ?? .null) }
/// let report = try old.import(into: factory, [.entity(Note.self, from: "CDNote"), .entity(Folder.self, from: "CDFolder")], once: "notes")
/// ```
///
/// Neither the file nor its WAL is changed, and the commits in the WAL are read. Core Data itself is not needed: a store can be read on
/// Linux too.
public struct CoreDataStore: Sendable {
  /// The file.
  public let url: URL
  /// The entities that have a table, in the order of their numbers.
  public let entities: [CoreDataEntity]

  /// Reads the entities of a store.
  /// - Throws: ``DAOError/bootstrap(_:)`` where the file is not there, is no whole database, or is no Core Data store.
  public init(_ url: URL) throws {
    self.url = url
    entities = try Self.reading(url) { _, schema in schema.entities }
  }

  /// The entity of a name, without regard to case; nil where there is none.
  public subscript(entity: String) -> CoreDataEntity? {
    entities.first { $0.name == entity } ?? entities.first { SchemaName.same($0.name, entity) }
  }

  /// Runs a body for each row of an entity and its sub-entities, in the order of their `z_pk`, from one snapshot.
  ///
  /// Data are the bytes that the row holds: those of an attribute that allows external storage begin with the byte 1, or are the byte 2
  /// and the name of a file. Only an import reads these files (`data:` of a ``CoreDataMapping``). References are the `z_pk` of their rows.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)``; ``DAOError/bootstrap(_:)`` where the file can no longer be read;
  ///   ``DAOError/undecodable(entity:column:row:problem:)`` for a value that is
  ///   not of its column's type; the errors of the body.
  public func forEachRow(of entity: String, _ body: (DynamicEntity) throws -> Void) throws {
    try Self.reading(url) { connection, schema in
      guard let source = schema.entity(entity) else { throw schema.unknown(entity) }
      let columns = source.description.attributes.map { CoreDataColumn(attribute: $0) }
      let files = ExternalData(of: url)
      let names = Dictionary(schema.family(of: source).map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
      let sql = CoreDataRows.sql(source.table, columns.map(\.attribute.column.asSQLName), of: names.keys.sorted())
      var number = 0
      try connection.each(sql) { row in
        var values: [String: Scalar] = [:]
        for (position, column) in columns.enumerated() {
          do {
            let stored = try CoreDataRows.stored(&row, position)
            if column.name == "z_ent", case .integer(let entity) = stored {
              values[column.name] = names[entity].map { .text($0) }
            } else {
              values[column.name] = try column.scalar(stored, files)
            }
          } catch let problem as ValueProblem {
            throw DAOError.undecodable(entity: source.name, column: column.attribute.column, row: number, problem: "\(problem)")
          }
        }
        try body(DynamicEntity(source.description, values))
        number += 1
      }
    }
  }

  /// Reads the file in one snapshot.
  static func reading<Value>(_ url: URL, _ body: (any Connection, CoreDataSchema) throws -> Value) throws -> Value {
    do {
      return try ForeignDatabase.reading(url) { try body($0, CoreDataSchema($0, path: url.path)) }
    } catch DAOError.bootstrap(let problem) where problem.kind == .notADatabase {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .notADatabase, path: problem.path, "the file is no SQLite database, or it is encrypted: \(problem.message)"))
    }
  }
}

extension CoreDataSchema {
  /// The error that there is no entity of a name.
  func unknown(_ name: String) -> DAOError {
    let known = entities.map(\.name)
    return .unknownEntity(name: name, known: known, nearest: Nearest.name(to: name, among: known))
  }
}
