import DAOCriteria
import DAOSQL
import GRDB

extension Examination {
  /// Compiles every view and every trigger, in an empty copy of the schema in memory: none of them runs. One that can't be compiled makes
  /// each statement over it, or each write to its table, an error.
  ///
  /// Triggers are compiled one by one, as in a store that has no other, and as a connection does that trusts the schema: SQLite refuses
  /// those of search tables otherwise.
  mutating func examinePrograms() throws {
    guard let connection = connection as? SQLiteConnection else { return }
    let found = try connection.withSchemaCopy { copy, triggers in
      let catalog = try SchemaCatalog(of: copy)
      var expansion = catalog.viewExpansion()
      var found: [Finding] = []
      var broken: Set<SchemaName> = []
      for view in catalog.entries where view.kind == .view {
        let reason = try expansion.problem(of: view.name) ?? copy.failure(of: ["SELECT * FROM main.\(view.name.quotedIdentifier)"])
        guard let reason else { continue }
        broken.insert(SchemaName(view.name))
        found.append(
          Finding(
            .brokenView, of: name(of: view.name), "the view can't be compiled: \(reason)",
            repair: Repair("drop the view, or make it anew: DROP VIEW and CREATE VIEW")))
      }
      let views = Set(catalog.entries.filter { $0.kind == .view }.map { SchemaName($0.name) })
      var (ofViews, left) = (triggers.filter { views.contains(SchemaName($0.table)) }, triggers.count + 1)
      // Those of views stay in the copy: other triggers may write to these views.
      while ofViews.count < left {
        left = ofViews.count
        ofViews = try ofViews.filter { try failure(of: $0, in: copy, &expansion, keeping: true) != nil }
      }
      let ofTables = triggers.filter { !views.contains(SchemaName($0.table)) }
      for trigger in ofViews + ofTables where !broken.contains(SchemaName(trigger.table)) {
        guard let reason = try failure(of: trigger, in: copy, &expansion, keeping: false) else { continue }
        found.append(
          Finding(
            .brokenTrigger, of: name(of: trigger.table), at: trigger.name,
            "the trigger can't be compiled, and so no statement can that fires it: \(reason)",
            repair: Repair("drop the trigger, or make it anew: DROP TRIGGER and CREATE TRIGGER")))
      }
      return found
    }
    for finding in found { add(finding) }
  }

  private func failure(
    of trigger: (name: String, table: String, sql: String), in copy: Database, _ expansion: inout ViewExpansion, keeping isKept: Bool
  ) throws -> String? {
    if let problem = expansion.problem(ofStatement: trigger.sql) { return problem }
    do { try copy.run(trigger.sql) } catch let error as DatabaseError { return error.message ?? "\(error.resultCode)" }
    let failure = try copy.failure(ofTriggersOf: trigger.table)
    if failure != nil || !isKept { try? copy.run("DROP TRIGGER main.\(trigger.name.quotedIdentifier)") }
    return failure
  }

  /// The name of a table's or view's entity; its own where it has none.
  private func name(of table: String) -> String {
    entities.first { SchemaName.same($0.description.table, table) }?.description.name ?? table
  }
}
