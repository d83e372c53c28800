import DAOCriteria
import DAOSQL
import DAOSchema

/// An `@Entity` struct for one table or view, while its text is written.
struct SwiftEntity {
  let typeName: String
  let description: EntityDescription
  private let table: StoreSchema.Table
  private let found: [String: StoreInspection.Column]
  private let notUnderstood: [String]
  /// The attributes that identify a row: of a view without a stated key the first whose values all differ, else all that are never null.
  let keyNames: [String]
  /// Why no struct can be written for it; nil where one can.
  let leftOut: String?
  /// The property of each attribute.
  private var names: [String: String]
  /// The enum of each attribute whose CHECK lists texts.
  private var enumNames: [String: String] = [:]
  /// The to-one relationships that are properties, by their attribute.
  private var references: [String: Reference] = [:]

  /// A to-one relationship that takes the place of its attribute.
  struct Reference {
    let target: String
    let declaration: Relationship.Declaration
    let onDelete: DeleteRule
  }

  init(_ description: EntityDescription, _ table: StoreSchema.Table, _ found: StoreInspection.Table?, typeName: String) {
    (self.description, self.table, self.typeName) = (description, table, typeName)
    self.found = Dictionary((found?.columns ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    notUnderstood = found?.problems ?? []
    let distinct = SwiftName.distinct(description.attributes.map { SwiftName.property($0.name) })
    names = Dictionary(zip(description.attributes.map(\.name), distinct), uniquingKeysWith: { first, _ in first })
    keyNames = Self.keyNames(of: description, table, found)
    leftOut = Self.reasonToLeaveOut(description, table, keyNames)
  }

  /// The property of an attribute, as code names it.
  func property(_ attribute: String) -> String { SwiftName.escaped(names[attribute] ?? attribute) }

  private static func keyNames(
    of description: EntityDescription, _ table: StoreSchema.Table, _ found: StoreInspection.Table?
  ) -> [String] {
    guard table.isView, table.statedKey.isEmpty, let found else { return description.key.attributes }
    let full = Set(found.columns.filter { $0.nulls == 0 }.map(\.name))
    let usable = description.attributes.filter { full.contains($0.column) && SwiftOption.isKey($0.type) }
    let distinct = Set(found.distinctColumns)
    return (usable.first { distinct.contains($0.column) }.map { [$0] } ?? usable).map(\.name)
  }

  private static func reasonToLeaveOut(
    _ description: EntityDescription, _ table: StoreSchema.Table, _ keyNames: [String]
  ) -> String? {
    if keyNames.isEmpty { return "none of its columns identifies a row" }
    if let name = keyNames.first(where: { description[$0].map { !SwiftOption.isKey($0.type) } ?? true }) {
      return "\(name) is part of its key, and nothing says what it holds"
    }
    if !table.isView, !description.hasGeneratedKey, table.primaryKey.isEmpty {
      return "it has no key, and other columns have the row id's names"
    }
    let own = table.columns.first { !StoreSchema.Column.collationsOfSQLite.contains($0.collation) }
    return own.map { "\($0.name) is compared by a collation of an app's own, \($0.collation)" }
  }

  private var isKeyGuessed: Bool { table.isView && table.statedKey.isEmpty }

  // MARK: Relationships

  /// Takes the to-one relationships that a property can hold: those by one attribute that has the other entity's key.
  /// - Parameter entities: all entities, by their tables.
  mutating func takeReferences(to entities: [SchemaName: SwiftEntity]) {
    for relationship in description.relationships {
      guard case .toOne(let by, let onDelete) = relationship.kind, by.count == 1, let attribute = description[by[0]],
        let target = relationship.target, let entity = entities[SchemaName(target.table)], references[attribute.name] == nil,
        !attribute.isGenerated,
        entity.keyNames.count == 1, relationship.referenced ?? target.key.attributes == entity.keyNames,
        target[entity.keyNames[0]]?.type == attribute.type, description.key != .generated(attribute.name),
        allows(onDelete, attribute, to: target)
      else { continue }
      let hasIndex = ([description.key.attributes] + description.indexes.map(\.attributes)).contains { $0.first == attribute.name }
      references[attribute.name] = Reference(
        target: entity.typeName, declaration: relationship.declaration == .absent ? .absent : hasIndex ? .indexed : .foreignKey,
        onDelete: onDelete)
      // The row, and not its key: `customer` for `CustomerId`.
      let name = SwiftName.distinct([SwiftName.property(relationship.name)])[0]
      if !names.values.contains(name) { names[attribute.name] = name }
    }
  }

  /// Gives the enums names that no entity has.
  mutating func nameEnums(besides types: Set<String>) {
    var taken = types
    for attribute in description.attributes where listedTexts(attribute) != nil {
      let wanted = SwiftName.type(attribute.name + " value")
      let name = ([wanted] + (2...).lazy.prefix(1000).map { "\(wanted)\($0)" }).first { !taken.contains($0) } ?? wanted
      taken.insert(name)
      enumNames[attribute.name] = name
    }
  }

  /// Whether the store's own rule is the one that the entity would state.
  private func allows(_ rule: DeleteRule, _ attribute: Attribute, to target: EntityDescription) -> Bool {
    let keys = table.foreignKeys.filter { SchemaName.same($0.columns, [attribute.column]) && SchemaName.same($0.table, target.table) }
    return !keys.isEmpty
      && keys.contains { key in
        let own = SchemaName.capitals(key.onDelete)
        return key.isStated || own == rule.rawValue || own == "RESTRICT" && rule == .deny
      }
  }

  /// The references of this entity to another, by their attributes.
  private func references(to other: SwiftEntity) -> [String] {
    description.attributes.map(\.name).filter { references[$0]?.target == other.typeName }
  }

  /// A property of a to-many relationship.
  private struct ManyProperty {
    let name: String
    let mark: String
    /// The entity of its rows.
    let target: String
  }

  /// The properties of to-many relationships: rows of the others that point here and, where rows of one are pairs, those at the other end.
  private func manyProperties(of entities: [SwiftEntity]) -> [ManyProperty] {
    if description.isReadOnly || keyNames.count != 1 { return [] }
    var made: [ManyProperty] = []
    for other in entities where !other.description.isReadOnly {
      let own = other.references(to: self)
      for attribute in own {
        let name =
          SwiftName.plural(SwiftName.property(other.description.table))
          + (own.count > 1 ? "By" + capitalized(other.names[attribute] ?? "") : "")
        made.append(ManyProperty(name: name, mark: "@ToMany(\\\(other.typeName).\(other.property(attribute)))", target: other.typeName))
      }
      let ends = other.keyNames.compactMap { other.references[$0] }
      guard other.keyNames.count == 2, ends.count == 2, own.count == 1, let there = ends.first(where: { $0.target != typeName }),
        let attribute = other.keyNames.first(where: { other.references[$0]?.target == there.target })
      else { continue }
      let paths = "by: \\\(other.typeName).\(other.property(own[0])), to: \\\(other.typeName).\(other.property(attribute))"
      let name = SwiftName.plural(SwiftName.property(there.target))
      made.append(ManyProperty(name: name, mark: "@ManyToMany(\(paths))", target: there.target))
    }
    return made
  }

  private func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  // MARK: The text

  /// The struct.
  /// - Parameter entities: all entities, whose references may lead here.
  func text(among entities: [SwiftEntity]) -> String {
    let many = manyProperties(of: entities)
    let manyNames = SwiftName.distinct(description.attributes.compactMap { names[$0.name] } + many.map(\.name)).suffix(many.count)
    let manyLines = zip(manyNames, many).map { name, property in
      "\(property.mark) var \(SwiftName.escaped(name)): Many<\(property.target)> = Many()"
    }
    let guess = isKeyGuessed ? comment("unsure: which attributes identify a row of the view is for you to say with @ID") : []
    let problems = guess + notUnderstood.flatMap { comment("not understood: \($0)") }
    if let leftOut { return (problems + comment("left out: \(table.name), since \(leftOut)")).joined(separator: "\n") }
    let enums = description.attributes.compactMap(enumeration).map(\.text)
    let lines = orderedAttributes.flatMap(lines) + manyLines + enums.flatMap { [""] + $0 }
    return (problems + ["@Entity(\(arguments))", "struct \(typeName) {"] + lines.map { $0.isEmpty ? "" : "  " + $0 } + ["}"])
      .joined(separator: "\n")
  }

  /// The attributes, those of the key first and in its order.
  private var orderedAttributes: [Attribute] {
    let key = Set(keyNames)
    return keyNames.compactMap { description[$0] } + description.attributes.filter { !key.contains($0.name) }
  }

  private var arguments: String {
    var list = [SwiftName.literal(description.name)]
    if description.isReadOnly { list.append("source: .view(definition: nil)") }
    let indexes = description.indexes.filter { $0.attributes.count > 1 }.map { index in
      let names = index.attributes.map { SwiftName.literal(self.names[$0] ?? $0) }
      let descending = index.descending.map { SwiftName.literal(self.names[$0] ?? $0) }
      return "Index(on: " + names.joined(separator: ", ")
        + (descending.isEmpty ? "" : ", descending: [\(descending.joined(separator: ", "))]") + (index.isUnique ? ", unique: true)" : ")")
    }
    if !indexes.isEmpty { list.append("indexes: [\(indexes.joined(separator: ", "))]") }
    return list.joined(separator: ", ")
  }

  private func lines(_ attribute: Attribute) -> [String] {
    let column = found[attribute.column]
    var lines: [String] = []
    if let column, column.certainty == .unsure {
      lines += comment((["unsure: \(column.reason)"] + column.forms.map { "  \($0)" }).joined(separator: "\n"))
    }
    if column?.forms.contains(where: { $0.type == .json && $0.matching > 0 && $0.others == 0 }) == true {
      lines += comment("JSON: a Codable type of yours can take the place of String")
    }
    let enumeration = enumeration(attribute)
    if let rule = column?.rule, enumeration == nil, attribute.type != .bool { lines += comment("CHECK \(rule)") }
    let isKey = keyNames.contains(attribute.name)
    for key in table.foreignKeys
    where references[attribute.name] == nil && key.columns.contains(where: { SchemaName.same($0, attribute.column) }) {
      let columns = key.columns.joined(separator: ", ")
      lines += comment("FOREIGN KEY (\(columns)) REFERENCES \(key.table): not a key of one attribute that a Reference could hold")
    }
    return lines + [marks(attribute, isKey: isKey) + "var \(property(attribute.name)): " + type(attribute, enumeration?.name, isKey: isKey)]
  }

  private func marks(_ attribute: Attribute, isKey: Bool) -> String {
    var marks = isKey ? ["@ID"] : []
    let reference = references[attribute.name]
    if let reference {
      let rule = reference.onDelete == .deny ? [] : ["onDelete: .\(reference.onDelete)"]
      let declared = reference.declaration == .indexed ? [] : ["declared: .\(reference.declaration)"]
      let list = (rule + declared).joined(separator: ", ")
      marks.append("@ToOne" + (list.isEmpty ? "" : "(\(list))"))
    }
    var options: [String] = []
    if names[attribute.name]?.isSpelled(as: attribute.column) != true { options.append(".column(\(SwiftName.literal(attribute.column)))") }
    if reference == nil, let option = SwiftOption(attribute.type, isKey: isKey).option { options.append(option) }
    if let index = description.indexes.first(where: { $0.attributes == [attribute.name] && $0.descending.isEmpty }) {
      if index.isUnique { options.append(".unique") } else if reference == nil { options.append(".indexed") }
    }
    if attribute.isGenerated { options.append(".generated") }
    if attribute.isSearchable { options.append(".searchable") }
    if !options.isEmpty { marks.append("@Attribute(\(options.joined(separator: ", ")))") }
    return marks.map { $0 + " " }.joined()
  }

  private func type(_ attribute: Attribute, _ enumeration: String?, isKey: Bool) -> String {
    if case .generated(attribute.name) = description.key { return "Int64?" }
    let name = references[attribute.name].map { "Reference<\($0.target)>" } ?? enumeration ?? SwiftOption(attribute.type, isKey: isKey).type
    return name + (attribute.isOptional && !isKey ? "?" : "")
  }

  /// The texts that a CHECK lists of an attribute, where an enum can have them.
  private func listedTexts(_ attribute: Attribute) -> [String]? {
    guard case .values(let values)? = found[attribute.column]?.rule, attribute.type == .text, references[attribute.name] == nil,
      !keyNames.contains(attribute.name)
    else { return nil }
    let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    // To Swift two spellings of a letter are one.
    return texts.count == values.count && !texts.isEmpty && Set(texts).count == texts.count ? texts : nil
  }

  /// The enum of a text of which a CHECK lists the values.
  private func enumeration(_ attribute: Attribute) -> (name: String, text: [String])? {
    guard let typeName = enumNames[attribute.name], let texts = listedTexts(attribute) else { return nil }
    let cases = zip(SwiftName.distinct(texts.map(SwiftName.property)), texts).map { name, text in
      name.isSpelled(as: text) ? "case \(SwiftName.escaped(name))" : "case \(SwiftName.escaped(name)) = \(SwiftName.literal(text))"
    }
    return (typeName, ["enum \(typeName): String, AttributeValue {"] + cases.map { "  " + $0 } + ["}"])
  }

  private func comment(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map { "// " + SwiftName.visible(String($0)) } }
}
