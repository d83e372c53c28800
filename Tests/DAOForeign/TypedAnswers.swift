import DAOKit
import Foundation

/// What a Swift type answers over one column of a foreign table.
protocol TypedAnswers {
  /// The value of each row, by its key.
  func values() throws -> [Int64: Scalar]
  /// Writes every row as it was read.
  func rewrite() throws
  /// The keys that criteria find.
  func keys(_ criteria: Criteria) throws -> [Int64]
}

/// The answers of a type that reads the column's values.
struct AnswersOf<Value: AttributeValue>: TypedAnswers {
  private let rows: RuntimeDAO<TypedColumn<Value>>

  init(_ type: Value.Type, _ entity: EntityDescription, _ column: Attribute, in store: any EntityStore) {
    let description = EntityDescription(
      entity.name, table: entity.table, key: entity.key, attributes: entity.keyAttributes + [column])
    rows = RuntimeDAO(DAOContext(store, entity: description))
  }

  func values() throws -> [Int64: Scalar] {
    try rows.findAll().reduce(into: [:]) { values, row in if let id = row.id { values[id] = try row.value?.scalar ?? .null } }
  }

  func rewrite() throws { try rows.update(try rows.findAll()) }

  func keys(_ criteria: Criteria) throws -> [Int64] { try rows.findAll(SearchCriteria(criteria)).compactMap(\.id) }
}

extension AttributeType {
  /// The answers of the Swift type that reads such values.
  func answers(over column: Attribute, of entity: EntityDescription, in store: any EntityStore) -> (any TypedAnswers)? {
    switch kind {
    case .bool: AnswersOf(Bool.self, entity, column, in: store)
    case .uuid: AnswersOf(UUID.self, entity, column, in: store)
    case .date: AnswersOf(Date.self, entity, column, in: store)
    case .decimal: AnswersOf(Decimal.self, entity, column, in: store)
    case .text: AnswersOf(String.self, entity, column, in: store)
    default: nil
    }
  }
}
