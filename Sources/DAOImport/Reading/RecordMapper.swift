import DAOKit
import DAORecords

/// Reads records as a plan has them, and collects them in a batch.
struct RecordMapper {
  /// Records within records, one in the other, that are read.
  static let maximumNesting = 64
  /// Problems of one record that are reported.
  static let maximumProblems = 100

  let plan: RecordPlan
  /// The records that were read since the batch was taken.
  var batch = ImportBatch()
  /// How many records a hook skipped, by entity.
  private(set) var skipped: [String: ImportCounts] = [:]
  private var problems: [ImportProblem] = []
  /// An error of a hook that concerns no single record.
  private var failure: (any Error)?
  /// The nodes of keys that to-one relationships share.
  private var keys: [Key: Int] = [:]
  /// Those of the record that is read.
  private var newKeys: [Key] = []
  /// How many readings there were, each of which has a number.
  var readings = 0
  /// The object that hooks saw last, which several may ask for.
  private var seen: (reading: Int, object: Int, record: ImportRecord)?

  /// The value of a relationship, at one of its paths: the way to the node is then the same.
  private struct Key: Hashable {
    let parent: Int
    let relationship: Int
    let path: Int?
    let value: StoredValue
  }

  init(_ plan: RecordPlan) { self.plan = plan }

  /// The records so far, which it forgets.
  mutating func takeBatch() -> (batch: ImportBatch, skipped: [String: ImportCounts]) {
    defer {
      batch = ImportBatch()
      keys.removeAll(keepingCapacity: true)
      skipped = [:]
    }
    return (batch, skipped)
  }

  /// Adds a record to the batch.
  /// - Returns: the problems of the record, 100 at most; it is in the batch where there is none, and no hook skips it.
  /// - Throws: the error of a hook that is the store's and of no single record, and `CancellationError`.
  mutating func add(_ record: Record, _ origin: RecordOrigin) throws -> [ImportProblem] {
    let (start, skippedBefore) = (batch.nodes.count, skipped)
    problems = []
    newKeys.removeAll(keepingCapacity: true)
    batch.origins.append(origin)
    readings += 1
    let reading = RecordReading(record: record, origin: origin, number: readings)
    if let name = record.duplicateName {
      problems.append(
        rootProblem(origin, at: record.position(of: name), "has the name \"\(record.text(of: name).shown)\" twice in one object"))
    }
    var root: Int?
    if record.kind(of: 0) == .object {
      root = object(0, reading, plan: 0, step: nil, depth: 0)
    } else {
      problems.append(rootProblem(origin, at: record.position, "expects an object, not \(record.shown(0))"))
    }
    if let root, problems.isEmpty {
      batch.roots.append(root)
    } else {
      batch.removeNodes(from: start)
      for key in newKeys { keys[key] = nil }
      batch.origins.removeLast()
      if !problems.isEmpty { skipped = skippedBefore }
    }
    if let failure { throw failure }
    return problems
  }

  /// An object of a record as hooks get it.
  mutating func hookRecord(_ object: Int, of reading: RecordReading) -> ImportRecord {
    if let seen, seen.reading == reading.number, seen.object == object { return seen.record }
    let record = ImportRecord(value: ImportValue(object, of: reading.record), number: reading.origin.number)
    seen = (reading.number, object, record)
    return record
  }

  private func rootProblem(_ origin: RecordOrigin, at position: TextPosition, _ message: String) -> ImportProblem {
    ImportProblem(
      record: origin.number, line: position.line, column: position.column, pointer: origin.path.jsonPointer,
      entity: plan.entities[0].entity.name, attribute: nil, message: message)
  }

  // MARK: Objects

  /// Adds the node of an object.
  /// - Returns: its number; nil where a hook skips it, or it has a problem.
  mutating func object(
    _ object: Int, _ reading: RecordReading, plan number: Int, step: ImportNode.Step?, depth: Int, isLink: Bool = false
  ) -> Int? {
    let entity = plan.entities[number]
    let node = batch.add(
      plan: number, step: step, record: batch.origins.count - 1, count: entity.entity.attributes.count, isLink: isLink)
    if let before = entity.hooks.before {
      do {
        if try before(hookRecord(object, of: reading)) == .skip {
          skipped[entity.entity.name, default: ImportCounts()].skipped += 1
          batch.removeNodes(from: node)
          return nil
        }
      } catch { return refuse(node, nil, nil, reading.position(of: object), by: error) }
    }
    if entity.hasHooksAtStoring { batch.nodes[node].hookRecord = hookRecord(object, of: reading) }
    for attribute in entity.attributes
    where !attribute.attribute.isGenerated && (!isLink || entity.identity.contains(attribute.position)) {
      read(attribute, of: object, reading, into: node)
    }
    for (relationship, plan) in entity.relationships.enumerated() where !isLink || plan.holds(entity.identity) {
      read(plan, relationship, of: object, reading, into: node, depth: depth)
    }
    // An object within another that has nothing but the identity says as much as a key.
    if step != nil { batch.nodes[node].isKey = batch.hasOnlyIdentity(node, entity) }
    return node
  }

  /// Adds the node of a key.
  mutating func key(
    _ value: Int, _ reading: RecordReading, plan number: Int, step: ImportNode.Step, isLink: Bool, isShared: Bool
  ) -> Int? {
    let entity = plan.entities[number]
    var own: (value: StoredValue, position: Int)?
    var (problem, failed): (String?, (any Error)?)
    if let key = entity.key {
      do {
        let value = try keyValue(value, of: key, reading)
        own = (value, key.position)
        if isShared {
          let key = Key(parent: batch.nodes[step.parent].plan, relationship: step.relationship, path: step.path, value: value)
          if let known = keys[key] { return known }
          keys[key] = batch.nodes.count
          newKeys.append(key)
        }
      } catch let unfit as ValueProblem { problem = "\(unfit)" } catch { failed = error }
    } else {
      let with = entity.identity.count > 1 ? " with \(entity.identityNames)" : ""
      problem = "expects an object\(with), not \(reading.record.shown(value))"
    }
    let node = batch.add(
      plan: number, step: step, record: batch.origins.count - 1, count: entity.entity.attributes.count, isKey: true, isLink: isLink)
    if let own { batch[node, own.position] = own.value }
    if let problem { return refuse(node, entity.key?.attribute.name, nil, reading.position(of: value), problem) }
    if let failed { return refuse(node, entity.key?.attribute.name, nil, reading.position(of: value), by: failed) }
    return node
  }

  /// The value of a key, with the hook that changes those of its attribute.
  private func keyValue(_ value: Int, of key: AttributePlan, _ reading: RecordReading) throws -> StoredValue {
    guard let hooks = key.hooks else { return try key.reader.stored(value, of: reading.record) }
    if hooks.instead != nil { throw ValueProblem("expects an object, since a hook makes \(key.attribute.name) of the whole record") }
    let record = ImportRecord(value: ImportValue(value, of: reading.record), number: reading.origin.number)
    let own = try key.reader.stored(value, of: reading.record)
    guard let after = hooks.after else { return own }
    var row = RowReader([own], columns: key.columns)
    return try key.collecting { try after(&row, record, &$0) }
  }

  /// Notes the error of a hook.
  @discardableResult
  mutating func refuse(
    _ node: Int, _ attribute: String?, _ path: RecordPath?, _ position: TextPosition, by error: any Error
  ) -> Int? {
    if (error as? DAOError)?.isOfRecord == false || error is CancellationError { failure = failure ?? error }
    return refuse(node, attribute, path, position, "is refused: \(error)")
  }

  /// Notes a problem. Its position is found by reading the record once more, so there are not too many.
  @discardableResult
  mutating func refuse(
    _ node: Int, _ attribute: String?, _ path: RecordPath?, _ position: @autoclosure () -> TextPosition, _ message: String
  ) -> Int? {
    guard problems.count < Self.maximumProblems else { return nil }
    problems.append(batch.problem(node, plan, attribute, at: path, position: position(), message))
    return nil
  }

  // MARK: Attributes

  private mutating func read(_ attribute: AttributePlan, of object: Int, _ reading: RecordReading, into node: Int) {
    var found: (value: Int, path: Int)?
    func path() -> RecordPath? { found.map { attribute.paths[$0.path] } ?? attribute.paths.first }
    func position() -> TextPosition { reading.position(of: found?.value ?? object) }
    do {
      var value: StoredValue?
      let (before, instead) = (attribute.hooks?.before, attribute.hooks?.instead)
      if instead == nil || before != nil { found = try reading.find(attribute.paths, in: object) }
      if let found, let before,
        try before(ImportValue(found.value, of: reading.record), hookRecord(object, of: reading)) == .skip
      {
        return
      }
      if let instead {
        value = try attribute.collecting { try instead(hookRecord(object, of: reading), &$0) }
      } else {
        value = try stored(attribute, found?.value, reading.record)
      }
      if let after = attribute.hooks?.after, let own = value {
        var row = RowReader([own], columns: attribute.columns)
        value = try attribute.collecting { try after(&row, hookRecord(object, of: reading), &$0) }
      }
      guard let value else { return }
      if value.isNull, attribute.isRequired { throw ValueProblem("can't be null") }
      batch[node, attribute.position] = value
    } catch let problem as ValueProblem {
      refuse(node, attribute.attribute.name, path(), position(), "\(problem)")
    } catch {
      refuse(node, attribute.attribute.name, path(), position(), by: error)
    }
  }

  private func stored(_ attribute: AttributePlan, _ value: Int?, _ record: Record) throws -> StoredValue? {
    guard let value else { return try attribute.value(of: attribute.absent, "is missing") }
    switch record.kind(of: value) {
    case .null, .blank: return try attribute.value(of: attribute.null, "is null")
    default: return try attribute.reader.stored(value, of: record)
    }
  }
}

extension AttributePlan {
  /// Whether null can't be stored. A key that the store generates is null until then.
  fileprivate var isRequired: Bool { !attribute.isOptional && !isGenerated }

  /// The value that a hook writes.
  fileprivate func collecting(_ body: (inout ColumnWriter) throws -> Void) throws -> StoredValue {
    var column = ColumnWriter(collecting: [attribute.type])
    try body(&column)
    return column.values.first ?? .null
  }
}

extension ImportBatch {
  /// Whether a node has the values of the identity and no others.
  fileprivate func hasOnlyIdentity(_ node: Int, _ entity: EntityPlan) -> Bool {
    nodes[node].related.isEmpty
      && entity.entity.attributes.indices.allSatisfy { (self[node, $0] != nil) == entity.identity.contains($0) }
  }
}

extension RelationshipPlan {
  /// Whether the relationship's attributes are among these.
  fileprivate func holds(_ positions: [Int]) -> Bool {
    if case .toOne(let here, _) = matching { here.contains { positions.contains($0) } } else { false }
  }
}
