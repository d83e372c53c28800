import DAOCriteria
import DAOSchema

extension Migration {
  /// The intent that a migration can't derive from the entities alone. Entities and attributes are named as in Swift, tables and columns to
  /// drop or keep as in the store.
  public struct Hint: Sendable {
    enum Kind {
      case add(entity: String, attribute: String)
      case keep(entity: String, column: String)
      case drop(entity: String, column: String)
      case create(entity: String)
      case dropTable(String)
      case dropIndex(String)
      case fill(entity: String, attribute: String, value: Criteria.Term)
      case convert(entity: String, attribute: String, by: @Sendable (StoredValue) throws -> Scalar)
    }

    let kind: Kind

    /// The attribute is new: it was not kept before in a column that no attribute has any more, except under one of its former names, nor
    /// in a column that another attribute has now.
    public static func add(_ entity: String, _ attribute: String) -> Migration.Hint {
      Migration.Hint(kind: .add(entity: entity, attribute: attribute))
    }

    /// The column keeps its name, though no attribute, or another attribute than before, has it now; it did not belong to an attribute that
    /// has another name now.
    ///
    /// Use it too where columns were exchanged (`a` was `b`, and `b` was `a`), which no store shows: their values stay where they are. A
    /// custom step exchanges them in stores of an older version:
    ///
    /// ```swift
    /// Migration(.keep("zone", "a"), steps: [.before(2, "exchange") { _ = try $0.execute("UPDATE zone SET a = b, b = a") }])
    /// ```
    public static func keep(_ entity: String, _ column: String) -> Migration.Hint {
      Migration.Hint(kind: .keep(entity: entity, column: column))
    }

    /// The column is removed, with its values and the indexes over it.
    public static func drop(_ entity: String, _ column: String) -> Migration.Hint {
      Migration.Hint(kind: .drop(entity: entity, column: column))
    }

    /// The entity is new: it was not kept before in a table that no entity has any more, except under one of its former names, nor in a
    /// table that another entity has now.
    public static func create(_ entity: String) -> Migration.Hint { Migration.Hint(kind: .create(entity: entity)) }

    /// The table is removed, with its rows.
    public static func dropTable(_ name: String) -> Migration.Hint { Migration.Hint(kind: .dropTable(name)) }

    /// The index is removed: `.dropIndex("zone_on_name")`, where the name need not be unique any more.
    public static func dropIndex(_ name: String) -> Migration.Hint { Migration.Hint(kind: .dropIndex(name)) }

    /// The value for rows that have none, where the attribute needs one.
    public static func fill(_ entity: String, _ attribute: String, with value: Scalar) -> Migration.Hint {
      Migration.Hint(kind: .fill(entity: entity, attribute: attribute, value: .value(value)))
    }

    /// Converts each value of an attribute whose type has changed. The closure receives the value as it is stored, null too, and returns it
    /// as the attribute has it; an error that it throws is reported with the value.
    ///
    /// The column's declared type tells whether the values are converted already. Dates in milliseconds, for example, are stored as
    /// integers: a column of integers is converted to dates if it is declared `INTEGER`, and counts as converted if it is declared
    /// `DATETIME_MILLISECONDS`. A STRICT table can't distinguish the two and needs a custom step.
    public static func convert(
      _ entity: String, _ attribute: String, by conversion: @escaping @Sendable (StoredValue) throws -> Scalar
    ) -> Migration.Hint {
      Migration.Hint(kind: .convert(entity: entity, attribute: attribute, by: conversion))
    }
  }
}

extension Migration {
  /// Whether it drops anything, which the entities alone do not ask for.
  package var drops: Bool {
    has {
      switch $0 {
      case .drop, .dropTable, .dropIndex: true
      default: false
      }
    }
  }

  /// Whether it converts any values, perhaps to a type that is stored alike: then a store that fits may still be due.
  package var converts: Bool { has { if case .convert = $0 { true } else { false } } }

  /// Whether the values of a column become others: where its type does not fit, and where it does and a hint converts them.
  package func convertsValues(
    of column: StoreSchema.Column, in table: StoreSchema.Table, to attribute: Attribute, of entity: EntityDescription
  ) -> Bool {
    guard attribute.type.fits(declared: column.declaredType) else { return true }
    return !table.isStrict && column.attributeType != attribute.type
      && conversion(entity.name, attribute.name) != nil
  }

  func has(_ test: (Migration.Hint.Kind) -> Bool) -> Bool { hints.contains { test($0.kind) } }

  /// Returns the value that fills an attribute's nulls, if a hint gives one.
  package func filling(_ entity: String, _ attribute: String) -> Scalar? {
    for hint in hints {
      if case .fill(entity, attribute, .value(let value)) = hint.kind { return value }
    }
    return nil
  }

  /// Returns the conversion of an attribute's values, if a hint gives one.
  package func conversion(_ entity: String, _ attribute: String) -> (@Sendable (StoredValue) throws -> Scalar)? {
    for hint in hints {
      if case .convert(entity, attribute, let conversion) = hint.kind { return conversion }
    }
    return nil
  }

  /// Hints that fit no entity.
  func problems(_ entities: [EntityDescription]) -> [DAOError.MigrationProblem] {
    hints.compactMap { hint in
      func problem(_ entity: String, _ element: String, _ message: String) -> DAOError.MigrationProblem {
        DAOError.MigrationProblem(entity: entity, element: element, message: "a hint " + message)
      }
      switch hint.kind {
      case .dropIndex: return nil
      case .dropTable(let table):
        return entities.contains { SchemaName.same($0.table, table) } ? problem(table, "", "drops the table, which is an entity's") : nil
      case .create(let name), .keep(let name, _):
        return entities.contains { $0.name == name } ? nil : problem(name, "", "names an entity that is not there")
      case .drop(let name, let column):
        guard let entity = entities.first(where: { $0.name == name }) else { return problem(name, "", "names an entity that is not there") }
        return entity.attribute(in: column) == nil ? nil : problem(name, column, "drops the column, which is an attribute's")
      case .add(let name, let attribute), .convert(let name, let attribute, _), .fill(let name, let attribute, _):
        guard let entity = entities.first(where: { $0.name == name }) else { return problem(name, "", "names an entity that is not there") }
        guard let found = entity[attribute] else { return problem(name, attribute, "names an attribute that is not there") }
        guard case .fill(_, _, let value) = hint.kind else { return nil }
        return found.problem(filledWith: value).map { problem(name, attribute, "fills it with a value that does not fit: \($0)") }
      }
    }
  }
}

extension Attribute {
  /// Why a value can't fill the attribute's nulls; nil where it can.
  fileprivate func problem(filledWith value: Criteria.Term) -> String? {
    switch value {
    case .value(.null): return "it is nil itself"
    case .value(let scalar):
      do { _ = try type.stored(scalar) } catch { return "the attribute \(error)" }
      return nil
    case .unstorable(let reason): return "the attribute \(reason)"
    default: return "it is no value"
    }
  }
}
