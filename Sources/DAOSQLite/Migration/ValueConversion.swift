import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB

/// The conversion of a column's values in a migration: to another type, or from null to a value.
struct ValueConversion: Sendable {
  /// The attribute that the values are to fit.
  let attribute: Attribute
  private let entity: EntityDescription
  /// The type that the values were stored as; nil where they fit as they are.
  private let oldType: AttributeType?
  private let declared: (@Sendable (StoredValue) throws -> Scalar)?
  private let filling: Scalar?

  /// - Parameters:
  ///   - column: what the attribute's column has been so far.
  ///   - table: its table.
  init(
    _ attribute: Attribute, of entity: EntityDescription, from column: StoreSchema.Column, of table: StoreSchema.Table,
    _ migration: Migration
  ) {
    self.attribute = attribute
    self.entity = entity
    let isConverted = migration.convertsValues(of: column, in: table, to: attribute, of: entity)
    oldType = isConverted ? AttributeType(ofColumn: column.declaredType, convertedTo: attribute.type) : nil
    declared = oldType.flatMap { _ in migration.conversion(entity.name, attribute.name) }
    filling = migration.filling(entity.name, attribute.name)
  }

  /// The value as the attribute stores it.
  /// - Throws: why there is none.
  func stored(_ value: StoredValue) throws -> StoredValue {
    let new: StoredValue
    if let declared {
      new = try attribute.type.stored(try declared(value))
    } else if let oldType {
      guard let same = oldType.converting(value, to: attribute.type) else { throw ValueProblem("is no \(attribute.type) just so") }
      new = same
    } else {
      new = value
    }
    if new.isNull, !attribute.isOptional, let filling { return try attribute.type.stored(filling) }
    guard !new.isNull || attribute.isOptional else { throw Missing() }
    return new
  }

  /// A null where the attribute needs a value.
  struct Missing: Error, CustomStringConvertible {
    var description: String { "is null, and the attribute needs a value" }
  }

  /// The hints that would help.
  /// - Parameters:
  ///   - missingCount: how many rows need a value and have null.
  ///   - hasOthers: whether there are values that are in the way for another reason.
  func hints(missingCount: Int, hasOthers: Bool) -> [String] {
    let conversion = declared == nil && oldType != nil ? [".convert(\"\(entity.name)\", \"\(attribute.name)\") { … }"] : []
    if missingCount == 0 { return conversion }
    let filling = entity.fillingHint(of: attribute, rowCount: missingCount)
    // A filling alone leaves the others in the way.
    return hasOthers && !conversion.isEmpty ? conversion : [filling] + conversion
  }
}

extension EntityDescription {
  /// Whether no two rows can have the same value of an attribute, so that none can be given to all that lack one.
  func isUnique(_ attribute: Attribute) -> Bool {
    key.attributes == [attribute.name] || indexes.contains { $0.isUnique && $0.attributes == [attribute.name] }
  }

  /// The hint that gives rows without a value one.
  func fillingHint(of attribute: Attribute, rowCount: Int) -> String {
    rowCount > 1 && isUnique(attribute)
      ? "steps: [.between(version, \"…\") { store in … }], which gives each row another value"
      : ".fill(\"\(name)\", \"\(attribute.name)\", with: …)"
  }
}

extension DatabaseValue {
  /// The value as the floors above know it.
  var stored: StoredValue {
    switch storage {
    case .null: .null
    case .int64(let value): .integer(value)
    case .double(let value): .real(value)
    case .string(let value): .text(value)
    case .blob(let value): .blob(value)
    }
  }
}

extension StoredValue {
  /// The value as GRDB knows it.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): value.databaseValue
    }
  }
}
