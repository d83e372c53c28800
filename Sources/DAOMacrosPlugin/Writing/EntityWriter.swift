/// Writes the conformance as a person would: the text that the documentation of `@Entity` shows.
struct EntityWriter {
  let entity: EntityModel

  /// The members that name the properties' types: the description, `Fields`, `PrimaryKey`.
  var types: [String] { [description, fields, primaryKeyType] }

  /// The members that don't.
  var functions: [String] {
    let rows = [reading(entity.properties, atOnce: entity.hasMemberwiseInit), writing(entity.attributes)]
    return [primaryKey] + rows + [generatedKey, version, prefetch].compactMap { $0 }
  }

  /// The extension with these members.
  /// - Parameter namesConformance: false where the struct names it already.
  func `extension`(of type: String, with members: [String], namesConformance: Bool) -> String {
    let head = "extension \(type)\(namesConformance ? ": \(library("Entity"))" : "") {"
    return head + "\n" + members.map(indented).joined(separator: "\n\n") + "\n}"
  }

  private var access: String { entity.access }

  /// Types of the library that entities elsewhere in the module are likely to be named like; the macro does not see those.
  private static let likelyNames: Set = ["Attribute", "Field"]

  /// A type of the library, with its module where the entity sees another type of this name first, or may do so.
  private func library(_ name: String) -> String {
    Self.likelyNames.contains(name) || entity.shadowingNames.contains(name) ? "DAOCriteria.\(name)" : name
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}

// Writes the entity's description.
extension EntityWriter {
  private var description: String {
    let place = [entity.table.map { "table: \($0)" }, entity.source.map { "source: \($0)" }].compactMap { $0 }
    let head = ([entity.name] + place + ["key: \(key)"]).joined(separator: ", ")
    // Two entities that name each other have no type that the compiler could infer.
    let type = relationships.isEmpty ? "" : ": \(library("EntityDescription"))"
    let attributes = entity.attributes.map { "    \(attribute($0)),\n" }.joined()
    let indexes = list("indexes", entity.indexes.map { ".init\($0)" })
    let formerName = entity.renamedFrom.map { ",\n  renamedFrom: \($0)" } ?? ""
    let identity = entity.attributes.filter(\.isIdentity).map { literal($0.name) }
    let ownIdentity = identity.isEmpty ? "" : ",\n  identity: [\(identity.joined(separator: ", "))]"
    return """
      \(access)static let entityDescription\(type) = \(library("EntityDescription"))(
        \(head),
        attributes: [
      \(attributes)  ]\(indexes)\(list("relationships", relationships))\(formerName)\(ownIdentity))
      """
  }

  private func list(_ label: String, _ elements: [String]) -> String {
    switch elements.count {
    case 0: ""
    case 1: ",\n  \(label): [\(elements[0])]"
    default: ",\n  \(label): [\n" + elements.map { "    \($0),\n" }.joined() + "  ]"
    }
  }

  private var relationships: [String] {
    entity.properties.compactMap { property in
      switch property {
      case .attribute(let attribute):
        attribute.toOne.map { toOne in
          let onDelete = toOne.onDelete.map { ", onDelete: \($0)" } ?? ""
          let declared = toOne.declared.map { ", declared: \($0)" } ?? ""
          let name = literal(attribute.name)
          let mapping = toOne.mapping.map { ", mapping: \($0)" } ?? ""
          return
            ".toOne(\(name), \(toOne.target).entityDescription, by: \(name)\(onDelete)\(declared)\(renamedFrom(attribute))\(mapping))"
        }
      case .many(let many): ".\(many.kind)(\(literal(many.name)), \(many.target).entityDescription, \(many.arguments))"
      }
    }
  }

  private var key: String {
    switch entity.key {
    case .generated(let id): ".generated(\(literal(id.name)))"
    case .assigned(let id): ".assigned([\(literal(id.name))])"
    case .composite(let parts): ".assigned([\(parts.map { literal($0.name) }.joined(separator: ", "))])"
    }
  }

  private func attribute(_ attribute: AttributeModel) -> String {
    var arguments = [literal(attribute.name), type(of: attribute)]
    if let column = attribute.column { arguments.append("column: \(column.expression.trimmedDescription)") }
    if let optional = optional(attribute) { arguments.append("optional: \(optional)") }
    if let value = attribute.defaultValue { arguments.append("default: \(value)") }
    if let reference = attribute.reference { arguments.append("references: .init\(reference)") }
    if attribute.isSearchable { arguments.append("searchable: true") }
    if attribute.isVersion { arguments.append("version: true") }
    if attribute.isGenerated { arguments.append("generated: true") }
    let mapping = attribute.mapping.map { ", mapping: \($0)" } ?? ""
    return "\(library("Attribute"))(\(arguments.joined(separator: ", "))\(renamedFrom(attribute))\(mapping))"
  }

  /// The last argument of an attribute, and of the relationship that is made of it.
  private func renamedFrom(_ attribute: AttributeModel) -> String {
    attribute.renamedFrom.isEmpty ? "" : ", renamedFrom: [\(attribute.renamedFrom.joined(separator: ", "))]"
  }

  private func type(of attribute: AttributeModel) -> String {
    if let storage = attribute.storage { return storage }
    // Its overloads name the conformance that a type lacks.
    guard let family = attribute.type.family else { return ".of(\(attribute.type.baseText).self)" }
    if let type = family.attributeType { return type }
    let held = attribute.type.heldTypes.map { ".of(\($0))" }.joined(separator: ", ")
    return held.isEmpty ? ".json" : ".json(of: \(held))"
  }

  private func optional(_ attribute: AttributeModel) -> String? {
    if attribute.isID { return nil }
    if attribute.type.isOptional { return "true" }
    if attribute.toOne != nil { return nil }
    return attribute.type.family == nil ? "\(library("AttributeType")).isOptional(\(attribute.type.baseText).self)" : nil
  }
}

// Writes the fields that criteria may name.
extension EntityWriter {
  private var fields: String {
    // An attribute may be called `path` too.
    var path = "path"
    while entity.properties.contains(where: { $0.named.name == path }) { path = "_" + path }
    let assigned = path == "path" ? "self.path" : path
    return """
      \(access)struct Fields: \(library("EntityFields")) {
        let \(path): \(library("FieldPath"))
        \(access)init(path: \(library("FieldPath"))) { \(assigned) = path }
      \(entity.properties.map { "  \(field($0, path))\n" }.joined())}
      """
  }

  private func field(_ property: PropertyModel, _ path: String) -> String {
    let named = property.named
    let type: String
    let function: String
    switch property {
    case .attribute(let attribute):
      // A stored row always has its key, so criteria see a generated one without the optional.
      type = "\(library("Field"))<\(attribute.isID ? attribute.type.baseText : attribute.type.text)>"
      function = "field"
    case .many(let many):
      type = "\(library("RelatedField"))<\(many.target)>"
      function = "related"
    }
    return "\(named.access)var \(named.identifier.text): \(type) { \(path).\(function)(\(literal(named.name))) }"
  }
}

// How rows are identified.
extension EntityWriter {
  private var primaryKeyType: String {
    switch entity.key {
    case .generated(let id), .assigned(let id): "\(access)typealias PrimaryKey = \(id.type.baseText)"
    case .composite(let parts): compositeKey(parts)
    }
  }

  private func compositeKey(_ parts: [AttributeModel]) -> String {
    // The initialiser can show no more than the parts do.
    let initAccess = parts.allSatisfy { $0.access == access } ? access : ""
    let parameters = parts.map { "\($0.identifier.text): \($0.type.text)" }.joined(separator: ", ")
    return """
      \(access)struct PrimaryKey: \(library("EntityKey")) {
      \(parts.map { "  \($0.access)var \($0.identifier.text): \($0.type.text)\n" }.joined())
        \(initAccess)init(\(parameters)) {
      \(parts.map { "    self.\($0.identifier.text) = \($0.identifier.text)\n" }.joined())  }

      \(indented(reading(parts.map { .attribute($0) }, atOnce: true)))

      \(indented(writing(parts)))
      }
      """
  }

  private var primaryKey: String {
    switch entity.key {
    case .generated(let id), .assigned(let id): "\(access)var primaryKey: PrimaryKey? { \(member(id)) }"
    case .composite(let parts):
      "\(access)var primaryKey: PrimaryKey? { PrimaryKey(\(parts.map { "\($0.label): \(member($0))" }.joined(separator: ", "))) }"
    }
  }

  private var generatedKey: String? {
    guard case .generated(let id) = entity.key else { return nil }
    return "\(access)mutating func setGeneratedKey(_ key: Int64) { \(member(id, besides: "key")) = key }"
  }
}

// How a version counts on.
extension EntityWriter {
  private var version: String? {
    guard let version = entity.attributes.first(where: \.isVersion) else { return nil }
    return "\(access)mutating func raiseVersion() { \(member(version)) = \(member(version)).nextVersion }"
  }
}

// How rows are read and written.
extension EntityWriter {
  /// - Parameter atOnce: whether there is an initialiser over all properties. It reads a tenth faster: a struct that is filled between
  ///   calls that throw is copied once more at the end.
  private func reading(_ properties: [PropertyModel], atOnce: Bool) -> String {
    let lines =
      atOnce
      ? "  try self.init(" + properties.map { "\($0.named.label): \(value($0))" }.joined(separator: ", ") + ")\n"
      : properties.map { "  \(member($0.named, besides: "row")) = \($0.attribute == nil ? "" : "try ")\(value($0))\n" }.joined()
    return "\(access)init(row: inout \(library("RowReader"))) throws {\n\(lines)}"
  }

  /// The value that a property is filled with. A property for fetched rows knows its source position, for the error where there are none.
  private func value(_ property: PropertyModel) -> String {
    let place = literal("\(entity.plainName).\(property.named.name)")
    return switch property {
    case .attribute(let attribute): attribute.toOne == nil ? "row.next()" : "row.next(at: \(place))"
    case .many: "row.next(at: \(place))"
    }
  }

  private func writing(_ attributes: [AttributeModel]) -> String {
    let lines = attributes.map { "  try row.write(\(member($0, besides: "row")))\n" }
    return "\(access)func write(to row: inout \(library("ColumnWriter"))) throws {\n\(lines.joined())}"
  }

  /// The property, with `self` where a parameter or a keyword stands in its way.
  private func member(_ property: any NamedModel, besides parameter: String? = nil) -> String {
    [parameter, "self"].contains(property.name) ? "self.\(property.identifier.text)" : property.identifier.text
  }
}

// How rows of relationships are taken.
extension EntityWriter {
  private var prefetch: String? {
    let places = entity.properties.compactMap { property in
      switch property {
      case .attribute(let attribute): attribute.toOne.map { _ in attribute as any NamedModel }
      case .many(let many): many
      }
    }
    if places.isEmpty { return nil }
    let lines = places.map { "  try rows.fetch(\(literal($0.name)), into: \\.\($0.identifier.text))\n" }
    return "\(access)static func prefetch(_ rows: inout \(library("Prefetching"))<Self>) throws {\n\(lines.joined())}"
  }
}
