import DAOCriteria
import DAOSQL
import GRDB

extension MigrationRun {
  /// The rules of tables that name columns which are dropped. SQLite refuses some, and reads a name in double quotes as a text from then
  /// on.
  static func ruleProblems(_ plan: [Migration.Step], in db: Database) throws -> [DAOError.MigrationProblem] {
    try plan.flatMap { step -> [DAOError.MigrationProblem] in
      guard case .dropColumn(let column) = step.change else { return [] }
      let table = oldNames(column, of: step.table, plan).table
      let sql = try String.fetchOne(
        db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [table])
      let dropped = plan.compactMap { other in
        if case .dropColumn(let name) = other.change, SchemaName.same(other.table, step.table) { name } else { nil as String? }
      }
      let rules = sql.flatMap(CreateTable.init)?.rules(naming: column, without: dropped) ?? []
      return rules.map { rule in
        DAOError.MigrationProblem(
          entity: step.entity, element: column, message: "the column can't be dropped while the table's rule \(rule) names it",
          hints: [
            "steps: [.before(version, \"…\") { store in … }], which makes the table without that rule",
            ".keep(\"\(step.entity)\", \"\(column)\")",
          ])
      }
    }
  }
}
