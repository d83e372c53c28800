import DAOKit

// What can only be done when later records are known.
extension ImportRun {
  /// Notes what the records of a batch say of links, and closes those that wait for its rows.
  func follow(_ writer: BatchWriter) throws {
    for change in writer.linkChanges {
      switch change {
      case .open(let link): openLinks.add(link)
      case .settled(let source): openLinks.remove(source)
      }
    }
    if openLinks.isEmpty { return }
    var due: [OpenLink] = []
    for (number, row) in writer.inserted {
      guard let identity = plan.entities[number].identity(of: writer.rows[row]) else { continue }
      due += openLinks.take(waitingFor: OpenLink.Target(plan: number, identity: identity))
    }
    for link in try close(due) { openLinks.add(link) }
  }

  /// The work at the end of the feed.
  func finish() throws {
    // Others may have stored the rows meanwhile.
    for link in try close(openLinks.takeAll()) { try leaveOpen(link, plan.entities[link.target.plan].missing(link.target.identity)) }
    try deleteOrphans()
    try deleteAbsent()
  }

  // MARK: Links

  /// Relates rows to those that have come since.
  /// - Returns: the links whose rows are still not there.
  private func close(_ links: [OpenLink]) throws -> [OpenLink] {
    var left: [OpenLink] = []
    for start in stride(from: 0, to: links.count, by: 500) {
      let piece = Array(links[start..<min(start + 500, links.count)])
      if let own = try closeTogether(piece) {
        left += own
        continue
      }
      for link in piece {
        do { left += try closeOne(link) } catch let refusal as RefusedNode { try leaveOpen(link, refusal.message) } catch let error
          as DAOError
          where error.isOfRecord
        { try leaveOpen(link, "\(error)") }
      }
    }
    return left
  }

  /// - Returns: the links that are left; nil where one of them can't be closed.
  private func closeTogether(_ links: [OpenLink]) throws -> [OpenLink]? {
    do { return try closeAll(links) } catch is RefusedNode { return nil } catch let error as DAOError where error.isOfRecord { return nil }
  }

  private func closeOne(_ link: OpenLink) throws -> [OpenLink] { try closeAll([link]) }

  private func closeAll(_ links: [OpenLink]) throws -> [OpenLink] {
    let (closed, counts) = try store.withSession(.write) { try BatchWriter.close(links, plan, store) }
    report.add(counts)
    return links.enumerated().filter { !closed.contains($0.offset) }.map(\.element)
  }

  /// Notes that a row is stored without another that its record names.
  /// - Throws: ``ImportStop`` where that ends the import.
  private func leaveOpen(_ link: OpenLink, _ message: String) throws {
    let problem = link.problem(plan, message)
    guard case .skip(let limit) = options.failures else { throw ImportStop(problems: [problem]) }
    report.counts[plan.entities[link.source.plan].entity.name, default: ImportCounts()].unlinked += 1
    unlinkedRecords.insert(link.origin.number)
    if report[plan.entities[0].entity.name].failed + unlinkedRecords.count > limit { throw ImportStop(problems: [problem]) }
    report.problems.append(problem)
  }

  // MARK: Rows that are deleted

  /// Deletes the rows that lists no longer have.
  func deleteOrphans() throws {
    if orphans.isEmpty { return }
    var deletion = OrphanDeletion(store, plan, present: present)
    try deletion.delete(orphans.takeAll())
    report.add(deletion.counts)
  }

  /// Deletes the rows that the feed does not have. Where a record was refused, nobody knows whose row it is.
  private func deleteAbsent() throws {
    let entity = plan.entities[0]
    guard let absent, report[entity.entity.name].failed == 0 else { return }
    var criteria = Criteria()
    criteria.filter = absent.condition
    var rows: [ImportedRow] = []
    try store.withCursor(ImportedRow.self, in: entity.target, criteria) { cursor in
      while let row = try cursor.next() {
        let key = RowIdentity(row, at: entity.keyPositions, as: entity.entity.types)
        if key.map({ !present.contains($0) }) ?? false { rows.append(row) }
      }
    }
    rows = try store.releasing(rows, entity)
    let deleted = try store.delete(ImportedRow.self, keys: rows.compactMap(\.primaryKey), in: entity.target)
    report.counts[entity.entity.name, default: ImportCounts()].deleted += deleted
  }
}

extension OpenLink {
  fileprivate func problem(_ plan: RecordPlan, _ message: String) -> ImportProblem {
    let entity = plan.entities[source.plan]
    return ImportProblem(
      record: origin.number, line: origin.position.line, column: origin.position.column, pointer: (origin.path + path).jsonPointer,
      entity: entity.entity.name, attribute: entity.relationships[source.relationship].name, message: message)
  }
}
