import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation

/// What a database that another program made consists of, as `DAOFactory.inspect` finds it: its tables and views, the form of each column's
/// values with how sure that is, and what could not be understood.
///
/// ```swift
/// var shop = try DAOFactory.inspect(url)
/// print(shop)                                                              // a line for each column
/// shop.corrections.types["Invoice", default: [:]]["Paid"] = .boolText("Y/N")   // by hand
/// print(try shop.swiftSource())                                            // an @Entity struct for each table
/// let factory = try DAOFactory(store: .file(url), corrections: shop.corrections)   // or without Swift types
/// ```
///
/// A form is counted value by value, with the library's own reading: those that are read as such a value are for it, the others against it.
public struct StoreInspection: Sendable {
  /// The store.
  public let store: URL
  /// The tables and views, by name.
  public let tables: [Table]
  /// What was not understood of the store as a whole, each in one sentence.
  public let problems: [String]
  /// What is known beyond the schema. It begins with the forms that were found, where the declared type does not say them and every value
  /// can be read so, and with those that are sure or likely, but for columns of a foreign key whose two ends would differ; change it where
  /// you know better.
  public var corrections: SchemaCorrections
  let schema: StoreSchema

  /// Fewer values than these say nothing for sure by themselves: 20.
  public static let fewValues = 20

  init(store: URL, schema: StoreSchema, tables: [Table], problems: [String]) {
    (self.store, self.schema, self.tables, self.problems) = (store, schema, tables, problems)
    corrections = SchemaCorrections()
    for table in tables {
      let found = table.columns.filter { column in
        let isRead = column.certainty != .unsure || column.values > 0 && column.forms.first?.others == 0
        return isRead && column.type != schema[table.name]?[column.name]?.attributeType
      }
      if found.isEmpty { continue }
      corrections.types[table.name] = Dictionary(found.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }
    leaveOutHalfKeys()
  }

  /// Takes back forms that one end of a foreign key would have and the other would not: both are described as they are declared.
  private mutating func leaveOutHalfKeys() {
    func type(_ column: StoreSchema.Column, of table: String) -> AttributeType {
      corrections.types[table]?[column.name] ?? column.attributeType
    }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for table in schema.tables {
        for key in table.foreignKeys {
          guard let target = schema[key.table] else { continue }
          for (here, there) in zip(key.columns, schema.columns(of: key)) {
            guard let a = table[here], let b = target[there], type(a, of: table.name) != type(b, of: target.name) else { continue }
            let taken = [
              corrections.types[table.name]?.removeValue(forKey: a.name), corrections.types[target.name]?.removeValue(forKey: b.name),
            ]
            if taken.contains(where: { $0 != nil }) { isSettled = false }
          }
        }
      }
    }
    corrections.types = corrections.types.filter { !$0.value.isEmpty }
  }

  /// The table or view of this name, if there is one.
  public subscript(table: String) -> Table? { tables.first { SchemaName.same($0.name, table) } }

  /// The entities of all tables and of the views that can be read, described by the schema and the corrections.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not allow.
  public func entities() throws -> [EntityDescription] {
    let corrected = try schema.corrected(by: corrections)
    return corrected.tables.filter { !$0.columns.isEmpty }.compactMap { corrected.description(of: $0.name) }
  }
}

extension StoreInspection: CustomStringConvertible {
  /// The whole finding as text: each table with its columns, and what was not understood.
  public var description: String {
    (tables.map { "\($0)" } + problems.map { "not understood: \($0)" }).joined(separator: "\n")
  }
}
