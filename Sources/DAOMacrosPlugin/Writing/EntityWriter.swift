/// Writes the conformance as a person would: the text that ``Entity``'s own documentation shows.
struct EntityWriter {
  let entity: EntityModel
  let type: String
  /// Whether the extension names the conformance; not where the struct does.
  let namesConformance: Bool

  /// The extension.
  var text: String {
    let rows = [reading(entity.attributes), writing(entity.attributes)]
    let members = [description, fields, primaryKeyType, primaryKey] + rows + (generatedKey.map { [$0] } ?? [])
    let head = "extension \(type)\(namesConformance ? ": \(library("Entity"))" : "") {"
    return head + "\n" + members.joined(separator: "\n\n") + "\n}"
  }

  /// A name of the library, with its module where the entity sees another type of this name first.
  private func library(_ name: String) -> String { entity.shadowingNames.contains(name) ? "DAOCriteria.\(name)" : name }

  private var access: String { entity.access }
}

// What the entity is.
extension EntityWriter {
  private var description: String {
    let place = [entity.table.map { "table: \($0)" }, entity.source.map { "source: \($0)" }].compactMap { $0 }
    let head = ([entity.name] + place + ["key: \(key)"]).joined(separator: ", ")
    let attributes = entity.attributes.map { "      \(attribute($0)),\n" }.joined()
    let text =
      "  \(access)static let entityDescription = \(library("EntityDescription"))(\n    \(head),\n    attributes: [\n\(attributes)    ]"
    let indexes = entity.indexes.map { ".init\($0)" }
    return switch indexes.count {
    case 0: text + ")"
    case 1: text + ",\n    indexes: [\(indexes[0])])"
    default: text + ",\n    indexes: [\n" + indexes.map { "      \($0),\n" }.joined() + "    ])"
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
    return "\(library("Attribute"))(\(arguments.joined(separator: ", ")))"
  }

  private func type(of attribute: AttributeModel) -> String {
    if let storage = attribute.storage { return storage }
    return switch attribute.type.family {
    case .integer: ".integer"
    case .real: ".real"
    case .bool: ".bool"
    case .text, .url: ".text"
    case .data: ".data"
    case .uuid: ".uuid(.blob)"
    case .date: ".date(.iso8601)"
    case .decimal: ".decimal(.text)"
    case .array, .dictionary: ".json"
    case nil: "\(attribute.type.base.trimmedDescription).attributeType"
    }
  }

  private func optional(_ attribute: AttributeModel) -> String? {
    if attribute.isID { return nil }
    if attribute.type.isOptional { return "true" }
    return attribute.type.family == nil ? "\(attribute.type.base.trimmedDescription).isOptional" : nil
  }
}

// What criteria may name.
extension EntityWriter {
  private var fields: String {
    // An attribute may be called `path` too.
    var path = "path"
    while entity.attributes.contains(where: { $0.name == path }) { path = "_" + path }
    let start = path == "path" ? "self.path" : path
    let fields = entity.attributes.map { attribute in
      let access = attribute.access
      return
        "    \(access)var \(attribute.identifier.text): \(library("Field"))<\(fieldType(attribute))> { \(path).field(\(literal(attribute.name))) }\n"
    }
    return """
        \(access)struct Fields: \(library("EntityFields")) {
          let \(path): \(library("FieldPath"))
          \(access)init(path: \(library("FieldPath"))) { \(start) = path }
      \(fields.joined())  }
      """
  }

  /// A stored row always has its key, so criteria see a generated one without the optional.
  private func fieldType(_ attribute: AttributeModel) -> String {
    attribute.isID ? attribute.type.base.trimmedDescription : attribute.type.text
  }
}

// How rows are identified.
extension EntityWriter {
  private var primaryKeyType: String {
    switch entity.key {
    case .generated(let id), .assigned(let id): "  \(access)typealias PrimaryKey = \(id.type.base.trimmedDescription)"
    case .composite(let parts): compositeKey(parts)
    }
  }

  private func compositeKey(_ parts: [AttributeModel]) -> String {
    // The initialiser can show no more than the parts do.
    let initAccess = parts.allSatisfy { $0.access == access } ? access : ""
    let parameters = parts.map { "\($0.identifier.text): \($0.type.text)" }.joined(separator: ", ")
    return """
        \(access)struct PrimaryKey: \(library("EntityKey")) {
      \(parts.map { "    \($0.access)var \($0.identifier.text): \($0.type.text)\n" }.joined())
          \(initAccess)init(\(parameters)) {
      \(parts.map { "      self.\($0.identifier.text) = \($0.identifier.text)\n" }.joined())    }

      \(indented(reading(parts)))

      \(indented(writing(parts)))
        }
      """
  }

  private var primaryKey: String {
    switch entity.key {
    case .generated(let id), .assigned(let id): "  \(access)var primaryKey: PrimaryKey? { \(member(id)) }"
    case .composite(let parts):
      "  \(access)var primaryKey: PrimaryKey? { PrimaryKey(\(parts.map { "\($0.label): \(member($0))" }.joined(separator: ", "))) }"
    }
  }

  private var generatedKey: String? {
    guard case .generated(let id) = entity.key else { return nil }
    return "  \(access)mutating func setGeneratedKey(_ key: Int64) { \(member(id, besides: "key")) = key }"
  }
}

// How rows are read and written.
extension EntityWriter {
  private func reading(_ attributes: [AttributeModel]) -> String {
    let lines = attributes.map { "    \(member($0, besides: "row")) = try row.next()\n" }
    return "  \(access)init(row: inout \(library("RowReader"))) throws {\n\(lines.joined())  }"
  }

  private func writing(_ attributes: [AttributeModel]) -> String {
    let lines = attributes.map { "    try row.write(\(member($0, besides: "row")))\n" }
    return "  \(access)func write(to row: inout \(library("ColumnWriter"))) throws {\n\(lines.joined())  }"
  }

  /// The property, with `self` where a parameter or a keyword stands in its way.
  private func member(_ attribute: AttributeModel, besides parameter: String? = nil) -> String {
    [parameter, "self"].contains(attribute.name) ? "self.\(attribute.identifier.text)" : attribute.identifier.text
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}
