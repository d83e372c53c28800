import DAOCriteria
import DAOSQL

/// Takes the rows of a seed that is made from files.
package protocol SeedRows {
  /// Puts a row in.
  /// - Parameter values: in the order of the entity's attributes; null for a key that is to be generated.
  /// - Returns: the row's number in its table.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)`` where a rule of the schema is against it. Foreign keys are checked
  ///   when
  ///   all rows are in.
  func insert(_ values: [StoredValue], into entity: EntityDescription) throws -> Int64

  /// The number of the row that has these values; nil where no row has them.
  func row(of entity: EntityDescription, where attributes: [Attribute], are values: [StoredValue]) throws -> Int64?
}
