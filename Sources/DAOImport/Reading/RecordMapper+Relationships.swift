import DAOKit
import DAORecords

// The rows that an object is related to.
extension RecordMapper {
  /// Reads a relationship of an object.
  mutating func read(
    _ plan: RelationshipPlan, _ number: Int, of object: Int, _ reading: RecordReading, into node: Int, depth: Int
  ) {
    var (path, position): (RecordPath?, Int) = (plan.paths.first, object)
    do {
      let (before, instead) = (plan.hooks?.before, plan.hooks?.instead)
      let found = instead == nil || before != nil ? try reading.find(plan.paths, in: object) : nil
      if let found {
        path = plan.paths[found.path]
        position = found.value
        if let before, try before(ImportValue(found.value, of: reading.record), hookRecord(object, of: reading)) == .skip { return }
      }
      if let instead {
        guard let value = try instead(hookRecord(object, of: reading)) else { return }
        // The hook's value is a text of its own.
        readings += 1
        let own = try RecordReading(value, origin: reading.origin, number: readings)
        return related(plan, number, 0, path: nil, own, into: node, depth: depth)
      }
      guard let found else {
        switch plan.mapping.absent {
        case .keep: return
        case .refuse: throw ValueProblem("is missing")
        case .null, .useDefault: return end(plan, number, node, path, reading.position(of: object))
        }
      }
      related(plan, number, found.value, path: found.path, reading, into: node, depth: depth)
    } catch let problem as ValueProblem {
      refuse(node, plan.name, path, reading.position(of: position), "\(problem)")
    } catch {
      refuse(node, plan.name, path, reading.position(of: position), by: error)
    }
  }

  /// Ends a relationship.
  private mutating func end(_ plan: RelationshipPlan, _ number: Int, _ node: Int, _ path: RecordPath?, _ position: TextPosition) {
    guard plan.isOptional || plan.mapping.many == .replaceDeletingOrphans && plan.relationship.isToMany else {
      refuse(node, plan.name, path, position, "can't be null")
      return
    }
    batch.nodes[node].related.append(ImportNode.Related(relationship: number, rows: .null))
  }

  private mutating func related(
    _ plan: RelationshipPlan, _ number: Int, _ value: Int, path: Int?, _ reading: RecordReading, into node: Int, depth: Int
  ) {
    let named = path.map { plan.paths[$0] } ?? RecordPath([plan.name])
    let kind = reading.record.kind(of: value)
    switch (kind, plan.relationship.isToMany) {
    case (.null, _), (.blank, _):
      switch plan.mapping.null {
      case .keep: break
      case .refuse: refuse(node, plan.name, named, reading.position(of: value), "is null")
      case .null, .useDefault: end(plan, number, node, named, reading.position(of: value))
      }
      return
    case (.list, false):
      refuse(node, plan.name, named, reading.position(of: value), "expects an object or a key, not a list")
      return
    default: break
    }
    guard depth < Self.maximumNesting else {
      refuse(node, plan.name, named, reading.position(of: value), "is nested more than \(Self.maximumNesting) records deep")
      return
    }
    let rows: ImportNode.Rows
    if plan.relationship.isToMany {
      var nodes: [Int] = []
      for (item, value) in (kind == .list ? reading.record.items(of: value) : [value]).enumerated() {
        let step = ImportNode.Step(parent: node, relationship: number, path: path, item: kind == .list ? item : nil)
        if let found = row(plan, value, reading, step, depth: depth) { nodes.append(found) }
      }
      rows = .many(nodes)
    } else {
      // A record that a hook skips is related to nothing.
      let step = ImportNode.Step(parent: node, relationship: number, path: path, item: nil)
      guard let found = row(plan, value, reading, step, depth: depth) else { return }
      rows = .one(found)
    }
    batch.nodes[node].related.append(ImportNode.Related(relationship: number, rows: rows))
  }

  /// Adds the node of a row of a relationship.
  /// - Returns: its number; nil where a hook skips it, or it has a problem.
  private mutating func row(
    _ plan: RelationshipPlan, _ value: Int, _ reading: RecordReading, _ step: ImportNode.Step, depth: Int
  ) -> Int? {
    let isLink = plan.mapping.targets == .link
    switch reading.record.kind(of: value) {
    case .object: return object(value, reading, plan: plan.target, step: step, depth: depth + 1, isLink: isLink)
    case .list, .null, .blank:
      // In a list; others were looked at before.
      let path = (step.path.map { plan.paths[$0].names } ?? [plan.name]) + (step.item.map { ["\($0)"] } ?? [])
      return refuse(
        step.parent, plan.name, RecordPath(path), reading.position(of: value),
        "expects an object or a key, not \(reading.record.shown(value))")
    default:
      // In a list the node takes the key of the row around it.
      return key(value, reading, plan: plan.target, step: step, isLink: isLink, isShared: !plan.relationship.isToMany)
    }
  }
}
