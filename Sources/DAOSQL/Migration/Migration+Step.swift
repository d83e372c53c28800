import DAOCriteria

extension Migration {
  /// One step of a migration's plan.
  public struct Step: Sendable, Hashable {
    /// The effect of a step.
    public enum Change: Sendable, Hashable {
      /// A custom step.
      case script(String, version: Int32)
      /// A table that had another name.
      case renameTable(from: String)
      /// A table that is removed, with its rows.
      case dropTable
      /// A table that is new, or the table between two.
      case createTable
      /// A column that had another name.
      case renameColumn(from: String, to: String)
      /// A column that is new.
      case addColumn(String)
      /// A column that is removed, with its values.
      case dropColumn(String)
      /// A column whose values have another type now.
      case changeType(String, from: String, to: String)
      /// A column that needs a value now, or does not any more.
      case changeNullability(String, isNotNull: Bool)
      /// A column with another default.
      case changeDefault(String, to: String)
      /// A column whose text is compared by its bytes now.
      case changeCollation(String, from: String, to: String)
      /// A column that was computed, and keeps its values.
      case makeWritable(String)
      /// Columns that point to another table.
      case addForeignKey([String], to: String)
      /// An index that is new.
      case createIndex([String], isUnique: Bool)
      /// An index that is removed.
      case dropIndex(String)
      /// A search table, new or created again.
      case makeSearchTable([String])
      /// A search table that nothing needs any more.
      case dropSearchTable
      /// A view, new or created again.
      case makeView
    }

    /// The entity; the table's name where no entity has it.
    public let entity: String
    /// The table or view.
    public let table: String
    /// The effect.
    public let change: Change

    package init(_ entity: String, table: String, _ change: Change) {
      self.entity = entity
      self.table = table
      self.change = change
    }

    /// Whether it changes or removes stored values, so that a backup is made before it.
    public var isIrreversible: Bool {
      switch change {
      case .script, .dropTable, .dropColumn, .changeType, .changeNullability(_, isNotNull: true), .makeWritable: true
      default: false
      }
    }

    /// Whether rows may point to nothing after it.
    package var mayBreakKeys: Bool { if case .dropTable = change { true } else { needsRebuild } }

    /// The column or columns that it is about; empty for a table.
    package var element: String {
      switch change {
      case .renameColumn(_, let name), .addColumn(let name), .dropColumn(let name), .changeType(let name, _, _),
        .changeNullability(let name, _), .changeDefault(let name, _), .changeCollation(let name, _, _), .makeWritable(let name):
        name
      case .addForeignKey(let names, _), .createIndex(let names, _), .makeSearchTable(let names): names.joined(separator: ", ")
      case .script, .renameTable, .dropTable, .createTable, .dropIndex, .dropSearchTable, .makeView: ""
      }
    }

    /// Whether SQLite can do it only by rebuilding the table (sqlite.org/lang_altertable.html, section 7).
    package var needsRebuild: Bool {
      switch change {
      case .dropColumn, .changeType, .changeNullability, .changeDefault, .changeCollation, .makeWritable, .addForeignKey: true
      default: false
      }
    }
  }
}

extension Migration.Step: CustomStringConvertible {
  /// The step in one line.
  public var description: String {
    func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }
    switch change {
    case .script(let name, let version): return "to version \(version): \(name)"
    case .renameTable(let old): return "rename the table \(old) to \(table)"
    case .dropTable: return "drop the table \(table) with its rows"
    case .createTable: return "create the table \(table)"
    case .renameColumn(let old, let new): return "\(table): rename \(old) to \(new)"
    case .addColumn(let column): return "\(table): add \(column)"
    case .dropColumn(let column): return "\(table): drop \(column) with its values"
    case .changeType(let column, let old, let new):
      return "\(table): turn \(column) from \(old.isEmpty ? "no type" : old) into \(new.isEmpty ? "no type" : new)"
    case .changeNullability(let column, let isNotNull): return "\(table): \(column) \(isNotNull ? "needs a value" : "may be null")"
    case .changeDefault(let column, let value): return "\(table): \(column) has the default \(value)"
    case .changeCollation(let column, let old, let new):
      return "\(table): compare \(column) by \(new == "BINARY" ? "its bytes" : new), not by \(old == "BINARY" ? "its bytes" : old)"
    case .makeWritable(let column): return "\(table): \(column) is no longer computed, and keeps its values"
    case .addForeignKey(let columns, let other): return "\(table): \(list(columns)) points to \(other)"
    case .createIndex(let columns, let isUnique): return "\(table): \(isUnique ? "no two rows have the same" : "index on") \(list(columns))"
    case .dropIndex(let name): return "\(table): drop the index \(name)"
    case .makeSearchTable(let columns): return "\(table): make \(list(columns)) searchable"
    case .dropSearchTable: return "\(table): no longer searchable"
    case .makeView: return "make the view \(table)"
    }
  }
}
