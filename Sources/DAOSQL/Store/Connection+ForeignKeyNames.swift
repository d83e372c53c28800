import DAOCriteria
import DAOSchema

extension Connection {
  /// The error with attribute and table, where it is that of a foreign key and they can be determined.
  package func naming(_ error: any Error, _ write: @autoclosure () -> KeyedWrite?, of entity: EntityDescription) -> any Error {
    guard case DAOError.constraint(.foreignKey, _, let attributes, _) = error, attributes.isEmpty, let write = write(),
      let schema = try? schema(view: { _ in false }), let triggers = try? triggers(of: schema), let deferring = try? deferringTables
    else { return error }
    let questions = ForeignKeyNaming.Questions { columns, table, matching, values in
      let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
      let condition = matching.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
      return try self.rows(SQLStatement("SELECT \(list) FROM \(table.quotedIdentifier) WHERE \(condition) LIMIT 2", values))
    } arePointing: { pointer, table, matching, values in
      let isOwn = SchemaName.same(pointer.table, table)
      // The referenced column stands on the left: its own collation decides.
      let pairs = zip(pointer.target, pointer.columns).map { "d.\($0.quotedIdentifier) = o.\($1.quotedIdentifier)" }
      let row = matching.map { "d.\($0.quotedIdentifier) = ?" }
      let isItself = matching.map { "o.\($0.quotedIdentifier) IS d.\($0.quotedIdentifier)" }.joined(separator: " AND ")
      let conditions = row + pairs + (isOwn ? ["NOT (\(isItself))"] : [])
      let text = "SELECT 1 FROM \(table.quotedIdentifier) AS d, \(pointer.table.quotedIdentifier) AS o WHERE "
      return try !self.rows(SQLStatement(text + conditions.joined(separator: " AND ") + " LIMIT 1", values)).isEmpty
    }
    let naming = ForeignKeyNaming(schema, triggers: triggers, deferring: deferring, questions)
    return (try? asking({ _ in true }) { try naming.error(for: write, of: entity) }) ?? error
  }

  /// The tables that have keys which are checked when the transaction ends, by the words of their SQL. A statement by itself is one.
  private var deferringTables: Set<SchemaName> {
    get throws {
      guard isInTransaction else { return [] }
      let rows = try rows(SQLStatement("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%deferred%'"))
      return Set(
        rows.compactMap { row -> SchemaName? in
          guard case .text(let name) = row[0], case .text(let sql) = row[1] else { return nil }
          let tokens = SQLTokens.of(sql)
          let defers = tokens.indices.dropFirst(2).contains { place in
            tokens[place].isWord("DEFERRED") && tokens[place - 1].isWord("INITIALLY")
              && !(place > 2 && tokens[place - 2].isWord("DEFERRABLE") && tokens[place - 3].isWord("NOT"))
          }
          return defers ? SchemaName(name) : nil
        })
    }
  }

  /// The triggers of a store, without those that keep search tables in step.
  private func triggers(of schema: StoreSchema) throws -> [FiredTriggers.Trigger] {
    let own = schema.tables.filter { $0.search != nil }.flatMap { SearchSQL.triggerNames(of: $0.name) }
    return try rows(SQLStatement("SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger'")).compactMap { row in
      guard case .text(let name) = row[0], case .text(let table) = row[1], case .text(let sql) = row[2],
        !own.contains(where: { SchemaName.same($0, name) })
      else { return nil }
      return FiredTriggers.Trigger(table: table, sql: sql)
    }
  }
}
