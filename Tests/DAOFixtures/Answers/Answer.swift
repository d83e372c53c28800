import DAOKit
import Foundation

/// A question to a fixture, as criteria and as SQL that a person wrote.
package struct Answer: Sendable {
  /// How the criteria are asked.
  package enum Call: Sendable {
    /// All rows, or the report's.
    case rows
    /// How many there are.
    case count
    /// Whether there is one.
    case exists
    /// All pages of so many rows, one after the other.
    case pages(Int)
  }

  package let name: String
  /// The table or view.
  package let entity: String
  /// The criteria in JSON, without its version and entity.
  let body: String
  /// What SQLite's shell is asked.
  package let sql: String
  package let call: Call

  init(_ name: String, _ entity: String, _ body: String = "", _ sql: String, _ call: Call = .rows) {
    self.name = name
    self.entity = entity
    self.body = body
    self.sql = sql
    self.call = call
  }

  /// The criteria in JSON.
  package func json(of entity: String) -> Data {
    Data("{\"version\": 1, \"entity\": \"\(entity)\"\(body.isEmpty ? "" : ", ")\(body)}".utf8)
  }

  /// The criteria and what they are asked of, among the entities of a store.
  package func criteria(of entities: [EntityDescription]) throws -> (EntityDescription, SearchCriteria<DynamicEntity>) {
    let read = try CriteriaDecoder(allowing: .everything, budget: nil).decode(json(of: entity), of: entities)
    return (read.entity, SearchCriteria(read.criteria))
  }

  /// Whether the rows have an order of their own.
  package var isOrdered: Bool { body.contains(#""order""#) }
  /// Whether doubles are added up, in which SQLite's shell may be off by an ulp for each row.
  package var isSum: Bool { body.contains(#""sum""#) || body.contains(#""average""#) }
}
