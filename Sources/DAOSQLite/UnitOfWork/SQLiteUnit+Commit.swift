import DAOCriteria
import DAOSQL
import DAOWaiting

extension SQLiteUnit {
  /// The rows with something to commit, in the order in which they were first edited: each as the unit found it, and as it is.
  var changes: [EditWrite] {
    guard parent != nil else { return edits.changes }
    let ids = Set(edits.rows.keys).union(inherited.keys).sorted()
    return ids.compactMap { id in
      let (row, known) = (edits[id], inherited[id])
      let before = known.map { $0.mine } ?? row?.base
      let after = row.map { $0.mine } ?? nil
      return before == after ? nil : EditWrite(id: id, table: edits.tables[id.table], before: before, after: after)
    }
  }

  /// The changes in the terms of entities.
  var unitChanges: UnitChanges { UnitChanges(changes, of: edits.tables, entity: entity) }

  /// Writes the edits into the store, or into the parent.
  func commit(_ policy: ConflictPolicy) throws -> CommitResult {
    try alone(.writeSession) {
      if let parent { return try commit(policy, into: parent) }
      let edits = edits.changes
      if edits.isEmpty {
        self.edits.forgetSteps()
        return .nothingToDo
      }
      let outcome = try engine.session(.write) { session in try flush(edits, policy, in: session, notes: false).outcome }
      reads.forget(edits)
      clear()
      if outcome.written.isEmpty { return .nothingToDo }
      return .committed(UnitChanges(outcome.written, of: self.edits.tables, entity: entity))
    }
  }

  /// What a commit would do now.
  func preview(_ policy: ConflictPolicy) throws -> UnitPreview {
    try alone(.writeSession) {
      if let parent { return try preview(policy, into: parent) }
      let changes = unitChanges
      if changes.isEmpty { return UnitPreview(changes: changes) }
      var preview = UnitPreview(changes: changes)
      do {
        try engine.session(.write) { session in
          let (outcome, statements) = try flush(edits.changes, policy, in: session, notes: true)
          preview = UnitPreview(
            changes: changes, statements: statements.map { ($0.text, $0.bindings) }, conflicts: outcome.conflicts)
          throw PreviewEnds()
        }
      } catch is PreviewEnds {} catch let error as DAOError {
        switch error {
        case .constraint, .conflict, .readOnly: preview = UnitPreview(changes: changes, problem: error)
        default: throw error
        }
      }
      return preview
    }
  }

  /// Ends the transaction of a preview.
  struct PreviewEnds: Error {}

  private func flush(
    _ edits: [EditWrite], _ policy: ConflictPolicy, in session: ConnectionSession, notes: Bool
  ) throws -> (outcome: EditFlush.Outcome, statements: [SQLStatement]) {
    try session.write(atomic: false) { connection in
      guard let connection = connection as? SQLiteConnection else { throw DAOError.unsupported("a unit of work needs SQLite") }
      let tables = self.edits.tables
      let writer = SQLiteEditWriter(connection, tables: tables, notes: notes) { self.entity(of: $0) }
      let conflicts = EditConflicts(policy) { self.entity(of: $0) }
      let isUnchanged = try isStoreUnchanged(for: connection)
      if !isUnchanged { try checkTables(on: connection) }
      let outcome = try EditFlush.run(edits, self.edits.unchangedRows, of: tables, into: writer, conflicts, isUnchanged: isUnchanged)
      if let conflict = outcome.conflicts.first, !notes { throw DAOError.conflict(conflict) }
      if notes { try connection.checkDeferredKeys() }
      return (outcome, writer.noted)
    }
  }

  /// Whether nobody has committed anything since the unit was first edited, so that no row can be another one.
  private func isStoreUnchanged(for writer: SQLiteConnection) throws -> Bool {
    guard let editedState, let connection, !connection.isOver else { return false }
    return (try? connection.state(for: writer)) == editedState
  }

  /// Forgets all edits.
  func rollback() throws { try alone(.writeSession) { clear() } }

  private func clear() {
    edits.removeAll()
    newKeys = []
    inherited = [:]
    inheritedRevision = -1
    generation += 1
    // Statements mean the tables again.
    disconnect()
  }

  /// Takes the last step back, or does it again.
  /// - Returns: whether there was one, and its name.
  func goBack(_ direction: EditList.Direction) throws -> (isDone: Bool, name: String?) {
    try turn(.writeSession) { connection in
      // An edit that comes back may be older than what others have committed.
      forgetState()
      return try editing {
        try connection.transaction(.read) {
          let step = try edits.goBack(direction) { id, row in try put(row, as: id, on: connection) }
          return (step != nil, step?.name)
        }
      }
    }
  }
}
