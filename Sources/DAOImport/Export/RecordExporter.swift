import DAOKit
import Foundation

/// Writes rows as records.
struct RecordExporter {
  private let plan: RecordPlan
  private let form: RecordForm
  private let criteria: Criteria
  /// The shape of each plan's objects.
  private let shapes: [ExportShape]
  /// The relationships that the criteria prefetch, by their paths.
  private let nested: Set<FieldPath>

  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` where the mapping can't be written in the form.
  init(_ target: EntityTarget, _ mapping: MappingParts, _ form: RecordForm, _ criteria: Criteria) throws {
    self.form = form
    plan = try RecordPlan(target, mapping)
    shapes = try plan.entities.map { try ExportShape($0) }
    var nested: Set<FieldPath> = []
    for prefetch in criteria.prefetches {
      var path = FieldPath.root
      for name in prefetch.path.names {
        path = path.appending(name)
        nested.insert(path)
      }
    }
    self.nested = nested
    var own = criteria
    own.prefetches += Self.keys(plan, 0, .root, nested).map { Criteria.Prefetch($0) }
    self.criteria = own
    if case .csv(let delimiter) = form { _ = try delimiter.ofCells }
    if case .csv = form, let path = nested.first {
      throw DAOError.misuse("an export to CSV with the rows of \(path)", use: "JSON, or criteria without prefetches")
    }
  }

  /// The relationships whose rows are only named: their identity is read from the rows.
  private static func keys(_ plan: RecordPlan, _ number: Int, _ path: FieldPath, _ nested: Set<FieldPath>) -> [FieldPath] {
    plan.entities[number].relationships.flatMap { relationship -> [FieldPath] in
      let path = path.appending(relationship.name)
      if nested.contains(path) { return keys(plan, relationship.target, path, nested) }
      if case .toMany = relationship.matching { return [] }
      return [path]
    }
  }

  /// Writes the records of the rows in a store.
  /// - Returns: how many there were.
  func write(from store: any EntityStore, to output: (Data) throws -> Void) throws -> Int {
    var count = 0
    try store.withSession(.read) {
      try store.withCursor(DynamicEntity.self, in: plan.entities[0].target, criteria) { cursor in
        var text = try head()
        while let row = try cursor.next() {
          if form == .json { text += count == 0 ? "\n" : ",\n" }
          text += try record(row)
          if form != .json { text += "\n" }
          count += 1
          if text.utf8.count > 1 << 16 {
            try output(Data(text.utf8))
            text = ""
          }
        }
        if form == .json { text += count == 0 ? "]\n" : "\n]\n" }
        try output(Data(text.utf8))
      }
    }
    return count
  }

  private func head() throws -> String {
    switch form {
    case .json: return "["
    case .jsonLines: return ""
    case .csv(let delimiter):
      let entity = plan.entities[0]
      let names = try entity.attributes.map { $0.paths[0].description } + cellRelationships().map { $0.paths[0].description }
      return names.map { ExportText.cell($0, delimiter) }.joined(separator: String(Character(delimiter))) + "\n"
    }
  }

  private func record(_ row: DynamicEntity) throws -> String {
    guard case .csv(let delimiter) = form else {
      var json = ""
      try append(row, 0, .root, shapes[0], to: &json)
      return json
    }
    let entity = plan.entities[0]
    var cells = try entity.attributes.map { attribute in
      try text(of: row.values[attribute.position], attribute, entity).map { ExportText.cell($0, delimiter) } ?? ""
    }
    cells += try cellRelationships().map { relationship in
      guard let target = try row.related(relationship.name).first else { return "" }
      let (targetPlan, key) = (plan.entities[relationship.target], plan.entities[relationship.target].key)
      guard let key else {
        throw DAOError.misuse(
          "an export to CSV of \(entity.entity.name).\(relationship.name), whose rows have no identity of one attribute",
          use: "JSON, or exclude it from the mapping")
      }
      try checkIdentity(of: target, targetPlan)
      return try text(of: target.values[key.position], key, targetPlan).map { ExportText.cell($0, delimiter) } ?? ""
    }
    if cells == [""] {
      throw DAOError.misuse("an export to CSV of a null in the only column: an empty line is no row", use: "JSON, or more columns")
    }
    return cells.joined(separator: String(Character(delimiter)))
  }

  /// The relationships that a cell can hold.
  private func cellRelationships() throws -> [RelationshipPlan] {
    try plan.entities[0].relationships.filter { relationship in
      if case .manyToMany = relationship.matching {
        throw DAOError.misuse(
          "an export to CSV of the list \(plan.entities[0].entity.name).\(relationship.name)", use: "JSON, or exclude it from the mapping")
      }
      return !relationship.relationship.isToMany
    }
  }

  /// The value of a cell; nil for null.
  private func text(of value: Scalar, _ attribute: AttributePlan, _ entity: EntityPlan) throws -> String? {
    if value.isNull { return nil }
    return try attribute.exported(value, of: entity.entity).cell
  }

  // MARK: JSON

  /// - Parameter key: the positions of attributes that hold the key of the row around this one, which need not be said.
  private func append(
    _ row: DynamicEntity, _ number: Int, _ path: FieldPath, _ shape: ExportShape, besides key: [Int] = [], to json: inout String
  ) throws {
    let entity = plan.entities[number]
    var isFirst = true
    func begin(_ name: String) {
      json += isFirst ? "{" : ", "
      isFirst = false
      ExportText.append(name, to: &json)
      json += ": "
    }
    for (name, member) in shape.members {
      switch member {
      case .attribute(let position):
        let attribute = entity.attributes[position]
        if key.contains(attribute.position) { continue }
        begin(name)
        json += try attribute.exported(row.values[attribute.position], of: entity.entity).json
      case .object(let inner):
        begin(name)
        try append(row, number, path, inner, besides: key, to: &json)
      case .relationship(let position):
        let relationship = entity.relationships[position]
        let path = path.appending(relationship.name)
        // Rows that hold this one's key name it themselves.
        if case .toMany = relationship.matching, !nested.contains(path) { continue }
        if case .toOne(let here, _) = relationship.matching, !key.isEmpty, here == key { continue }
        begin(name)
        let rows = try row.related(relationship.name)
        if !relationship.relationship.isToMany {
          if let target = rows.first { try append(related: target, relationship, path, to: &json) } else { json += "null" }
          continue
        }
        json += "["
        for (index, target) in rows.enumerated() {
          if index > 0 { json += ", " }
          try append(related: target, relationship, path, to: &json)
        }
        json += "]"
      }
    }
    json += isFirst ? "{}" : "}"
  }

  /// Refuses a row that no record can name.
  private func checkIdentity(of row: DynamicEntity, _ entity: EntityPlan) throws {
    guard let position = entity.identity.first(where: { row.values[$0].isNull }) else { return }
    throw DAOError.invalidValue(
      entity: entity.entity.name, attribute: entity.entity.attributes[position].name,
      problem: "is null in a row that another names; prefetch the relationship, so that the row is part of the record")
  }

  private func append(related row: DynamicEntity, _ relationship: RelationshipPlan, _ path: FieldPath, to json: inout String) throws {
    let entity = plan.entities[relationship.target]
    if nested.contains(path) {
      var key: [Int] = []
      if case .toMany(_, let there) = relationship.matching { key = there }
      return try append(row, relationship.target, path, shapes[relationship.target], besides: key, to: &json)
    }
    try checkIdentity(of: row, entity)
    if let key = entity.key {
      json += try key.exported(row.values[key.position], of: entity.entity).json
      return
    }
    let members = try entity.attributes.filter { entity.identity.contains($0.position) }.map { attribute in
      (attribute.paths[0].names, try attribute.exported(row.values[attribute.position], of: entity.entity).json)
    }
    guard members.count == entity.identity.count else {
      throw DAOError.invalidDescription(
        entity: entity.entity.name,
        problems: ["\(entity.entity.name) can't be named in an export: its identity, \(entity.identityNames), is no part of its mapping"])
    }
    ExportText.append(members, to: &json)
  }
}
