import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB

extension MigrationRun {
  /// Returns the problems that existing rows cause for a plan: values that are no value of the new type, and nulls where a value is needed.
  /// Nothing is changed yet: columns have their old names.
  static func valueProblems(
    _ plan: [Migration.Step], _ entities: [EntityDescription], _ migration: Migration, in db: Database
  ) throws -> [DAOError.MigrationProblem] {
    let schema = try StoreSchema(reading: db) { _ in false }
    var (problems, seen): ([DAOError.MigrationProblem], [String]) = ([], [])
    for step in plan {
      guard let entity = entities.first(where: { $0.name == step.entity }) else { continue }
      switch step.change {
      case .changeType(let column, _, _), .changeNullability(let column, isNotNull: true):
        let place = "\(entity.table).\(column)"
        guard !seen.contains(place), let attribute = entity.attribute(in: column) else { continue }
        seen.append(place)
        let (oldTable, oldColumn) = oldNames(column, of: step.table, plan)
        guard let table = schema[oldTable], let source = table[oldColumn] else { continue }
        let conversion = ValueConversion(attribute, of: entity, from: source, of: table, migration)
        problems += try failures(of: conversion, oldTable, oldColumn, in: db, entity)
      case .addColumn(let column):
        guard let attribute = entity.attribute(in: column), !attribute.isOptional, attribute.defaultValue == nil,
          migration.filling(entity.name, attribute.name) == nil
        else { continue }
        let (oldTable, _) = oldNames(column, of: step.table, plan)
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(oldTable.quotedIdentifier)") ?? 0
        if count > 0 {
          problems.append(
            DAOError.MigrationProblem(
              entity: entity.name, element: attribute.name, message: "the attribute needs a value, and \(count) rows have none",
              hints: [entity.fillingHint(of: attribute, rowCount: count)]
                + (count > 1 && entity.isUnique(attribute) ? [] : ["a default on the attribute"]) + ["an optional attribute"]))
        }
      default: break
      }
    }
    return problems
  }

  static func oldNames(_ column: String, of table: String, _ plan: [Migration.Step]) -> (table: String, column: String) {
    var names = (table: table, column: column)
    for step in plan where SchemaName.same(step.table, table) {
      if case .renameTable(let old) = step.change { names.table = old }
      if case .renameColumn(let old, let new) = step.change, SchemaName.same(new, column) { names.column = old }
    }
    return names
  }

  /// Tries all values, each different one once.
  private static func failures(
    of conversion: ValueConversion, _ table: String, _ column: String, in db: Database, _ entity: EntityDescription
  ) throws -> [DAOError.MigrationProblem] {
    // Texts by their bytes: those that a collation finds equal are several values.
    let quoted = column.quotedIdentifier
    let cursor = try Row.fetchCursor(
      db,
      sql: "SELECT iif(typeof(\(quoted)) = 'text', CAST(\(quoted) AS BLOB), \(quoted)), typeof(\(quoted)) = 'text', count(*) "
        + "FROM \(table.quotedIdentifier) GROUP BY 2, 1")
    var (count, missingCount, examples): (Int, Int, [String]) = (0, 0, [])
    while let row = try cursor.next() {
      var value = (row[0] as DatabaseValue).stored
      let (isText, rows): (Bool, Int) = (row[1], row[2])
      do {
        if isText, case .blob(let bytes) = value { value = try StoredValue(text: bytes) }
        _ = try conversion.stored(value)
      } catch {
        count += rows
        if error is ValueConversion.Missing { missingCount += rows }
        if examples.count < 3 { examples.append("\(value) \(error)") }
      }
    }
    if count == 0 { return [] }
    return [
      DAOError.MigrationProblem(
        entity: entity.name, element: conversion.attribute.name,
        message: "\(count) row\(count == 1 ? " has a value" : "s have values") that can't be taken over: "
          + examples.joined(separator: "; "),
        hints: conversion.hints(missingCount: missingCount, hasOthers: count > missingCount))
    ]
  }
}
