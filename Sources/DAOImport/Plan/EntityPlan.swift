import DAOKit

/// How records become rows of an entity.
final class EntityPlan {
  /// The entity, and the rows that are visible.
  let target: EntityTarget
  /// The attributes that records have.
  private(set) var attributes: [AttributePlan] = []
  /// The relationships that records have: those to one row first, in the entity's order.
  private(set) var relationships: [RelationshipPlan] = []
  /// The positions of the attributes by which records are found.
  let identity: [Int]
  /// The attribute that a value by itself is of: the identity, where that is one attribute.
  private(set) var key: AttributePlan?
  /// The values of a new row that its record does not have; nil where it must have them.
  let defaults: [StoredValue?]
  /// Reads a row as the Swift type does, where it is known.
  let check: ((inout RowReader) throws -> Void)?
  /// The positions of the key's attributes.
  let keyPositions: [Int]
  /// The position of the key that the store generates; nil where it generates none.
  let generatedKey: Int?
  /// The positions of generated attributes that are never null, each with a value that stands for the one which the store will compute.
  let generatedValues: [(position: Int, value: StoredValue)]
  /// The hooks.
  let hooks: EntityHooks
  /// Whether a hook is called when rows are stored.
  let hasHooksAtStoring: Bool
  /// The columns of a row.
  let columns: RowColumns

  var entity: EntityDescription { target.entity }

  /// - Parameter problems: gets every problem of the mapping.
  init(_ target: EntityTarget, _ mapping: MappingParts?, _ problems: inout [String]) {
    let entity = target.entity
    self.target = target
    hooks = mapping?.hooks ?? EntityHooks()
    hasHooksAtStoring = hooks.areAtStoring
    check = mapping?.check
    columns = RowColumns(entity.types, of: entity)
    let onlyInserts = mapping?.onlyInserts ?? false
    let names = onlyInserts ? [] : mapping?.identity ?? entity.identity
    identity = names.compactMap { entity.position(of: $0) }
    if names.isEmpty, !onlyInserts { problems.append("\(entity.name) has an identity of no attributes") }
    problems += names.filter { entity[$0] == nil }.map { "\(entity.name)'s identity names '\($0)', which is not an attribute" }
    problems += names.filter { entity[$0]?.isGenerated == true }.map {
      "\(entity.name)'s identity names '\($0)', which \(Attribute.generatedProblem)"
    }
    let named = (mapping.map { Array($0.attributes.keys) } ?? []) + hooks.attributes.keys
    problems += Set(named).filter { entity[$0] == nil }.sorted().map {
      "the mapping names '\($0)', which is no attribute of \(entity.name)"
    }

    let generated = entity.hasGeneratedKey ? entity.key.attributes.first : nil
    generatedKey = generated.flatMap { entity.position(of: $0) }
    keyPositions = entity.key.attributes.compactMap { entity.position(of: $0) }
    defaults = entity.attributes.map { attribute in
      if let value = attribute.defaultValue { return try? attribute.type.stored(value) }
      // The store fills a key that it generates, and a generated column.
      if attribute.isOptional || attribute.isGenerated || attribute.name == generated { return .null }
      return attribute.isVersion ? .integer(0) : nil
    }
    generatedValues = entity.attributes.enumerated().compactMap { position, attribute in
      guard attribute.isGenerated, !attribute.isOptional else { return nil }
      return (try? attribute.type.stored(attribute.type.sample)).map { (position, $0) }
    }
    for (position, attribute) in entity.attributes.enumerated() {
      let own = mapping?.attributes[attribute.name]
      let excluded = (own ?? attribute.mapping).isExcluded
      if attribute.isVersion {
        // The store counts versions.
        if !excluded, own ?? attribute.mapping != AttributeMapping() {
          problems.append("\(entity.name).\(attribute.name) numbers the changes in this store, so it can't be mapped")
        }
        continue
      }
      let attributeMapping = own ?? attribute.mapping
      if attribute.isGenerated, hooks.attributes[attribute.name] != nil {
        problems.append("\(entity.name).\(attribute.name) \(Attribute.generatedProblem), so it can't have hooks")
      }
      if excluded { continue }
      // A relationship of the same name reads the value.
      if let relationship = entity.relationship(attribute.name),
        !(mapping?.relationships[relationship.name] ?? relationship.mapping).isExcluded
      {
        if attributeMapping != AttributeMapping() || hooks.attributes[attribute.name] != nil {
          problems.append("\(entity.name).\(attribute.name) is read as the relationship of its name, which has the mapping and the hooks")
        }
        continue
      }
      let plan = AttributePlan(
        attribute, at: position, attributeMapping, hooks.attributes[attribute.name], isGenerated: attribute.name == generated)
      problems += plan.problems.map { "\(entity.name).\(attribute.name) \($0)" }
      attributes.append(plan)
    }
    if identity.count == 1, let position = identity.first {
      let attribute = entity.attributes[position]
      let own = mapping?.attributes[attribute.name] ?? attribute.mapping
      // A key that no record has is no name of a row.
      if !own.isExcluded {
        key =
          attributes.first { $0.position == position }
          ?? AttributePlan(attribute, at: position, own, hooks.attributes[attribute.name], isGenerated: attribute.name == generated)
      }
    }
  }

  /// Adds the relationships.
  /// - Parameter number: the number of the plan of an entity.
  func addRelationships(
    of mapping: MappingParts?, _ problems: inout [String], number: (EntityDescription) -> Int
  ) {
    let named = (mapping.map { Array($0.relationships.keys) } ?? []) + hooks.relationships.keys
    problems += Set(named).filter { entity.relationship($0) == nil }.sorted().map {
      "the mapping names '\($0)', which is no relationship of \(entity.name)"
    }
    for relationship in entity.relationships.filter({ !$0.isToMany }) + entity.relationships.filter(\.isToMany) {
      let own = mapping?.relationships[relationship.name] ?? relationship.mapping
      if own.isExcluded { continue }
      do {
        let plan = try RelationshipPlan(
          relationship, own, hooks.relationships[relationship.name], of: entity, target: number(try relationship.knownTarget))
        problems += plan.problems.map { "\(entity.name).\(relationship.name) \($0)" }
        relationships.append(plan)
      } catch { problems.append("\(entity.name).\(relationship.name) \(error)") }
    }
  }

  /// The message that no row has an identity.
  func missing(_ identity: RowIdentity?) -> String {
    let values = self.identity.enumerated().map { "\(entity.attributes[$1].name) \(identity?[$0] ?? .null)" }
    return "names a row that is not there: \(entity.name) with \(values.joined(separator: ", "))"
  }

  /// Whether the identity is a key that the store generates.
  var isGenerated: Bool { generatedKey.map { identity == [$0] } ?? false }

  /// Whether a row can be made of its identity alone.
  var canBeMadeOfKey: Bool { defaults.indices.allSatisfy { defaults[$0] != nil || identity.contains($0) } }
}

extension Relationship {
  fileprivate var knownTarget: EntityDescription {
    get throws {
      guard let target else { throw ValueProblem("leads to an entity that is not there") }
      return target
    }
  }
}
