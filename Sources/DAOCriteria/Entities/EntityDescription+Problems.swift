extension EntityDescription {
  /// The problems of the description itself, each in one sentence; empty for a valid one.
  public var problems: [String] {
    var problems: [String] = []
    if name.isEmpty || table.isEmpty { problems.append("an entity needs a name and a table") }
    if attributes.isEmpty { problems.append("\(name) has no attributes") }
    if key.attributes.isEmpty { problems.append("\(name) has no key") }
    problems += Self.repeated(attributes.map(\.name)).map { "\(name) has two attributes named '\($0)'" }
    // SQLite compares column names without regard to ASCII case.
    problems += Self.repeated(attributes.map { SchemaName($0.column) }).map { "\(name) keeps two attributes in the column '\($0)'" }
    problems += attributes.filter(\.column.isEmpty).map { "\(name).\($0.name) has a column without a name" }
    problems += Self.repeated(key.attributes).map { "\(name)'s key names '\($0)' twice" }
    for keyName in key.attributes {
      guard let attribute = self[keyName] else {
        problems.append("\(name)'s key names '\(keyName)', which is not an attribute")
        continue
      }
      // Nothing is known of a view's rows, and nothing is written through it.
      if attribute.isOptional, !isReadOnly, !mayHaveNullKeys {
        problems.append("\(name).\(keyName) is part of the key and can't be optional")
      }
      if hasGeneratedKey, attribute.type != .integer { problems.append("\(name).\(keyName) is generated and must be an integer") }
    }
    if isReadOnly, !indexes.isEmpty { problems.append("\(name) is a view and can have no indexes") }
    for (position, index) in indexes.enumerated() {
      if indexes[..<position].contains(where: { $0.attributes == index.attributes }) {
        problems.append("\(name) has two indexes over \(index.attributes.joined(separator: ", "))")
      }
      if index.attributes.isEmpty { problems.append("\(name) has an index over nothing") }
      problems += index.descending.filter { !index.attributes.contains($0) }.map {
        "\(name) has an index that is descending in '\($0)', which is not in it"
      }
      problems += index.attributes.filter { self[$0] == nil }.map { "\(name) has an index over '\($0)', which is not an attribute" }
    }
    for attribute in attributes {
      if case .decimal(let storage) = attribute.type, let digits = storage.digits, !(0...18 ~= digits) {
        problems.append("\(name).\(attribute.name) is a decimal of \(digits) digits after the point; 0 to 18 fit")
      }
      if case .boolText(let words) = attribute.type, let problem = words.problem {
        problems.append("\(name).\(attribute.name) is a truth value of which \(problem)")
      }
      if case .storedText(.padded(let width)) = attribute.type, !(AttributeType.TextStorage.widths ~= width) {
        problems.append("\(name).\(attribute.name) is a text padded to \(width) characters; 1 to 65535 are possible")
      }
      if attribute.type == .uuid(.spelled([])) {
        problems.append("\(name).\(attribute.name) is a UUID without an option of its spelling: the form is .uuid(.text)")
      }
      if case .date(.text(let pattern)) = attribute.type, let problem = pattern.problem {
        problems.append("\(name).\(attribute.name) is a date of which \(problem)")
      } else if let value = attribute.defaultValue {
        do {
          let stored = try attribute.type.stored(value)
          if stored.isNull, !attribute.isOptional { problems.append("\(name).\(attribute.name) has the default nil and is not optional") }
        } catch {
          problems.append("\(name).\(attribute.name) has the default \(value), which is no \(attribute.type)")
        }
      }
      if attribute.reference?.onDelete == .nullify, !attribute.isOptional {
        problems.append("\(name).\(attribute.name) can't be nullified by a delete: it is not optional")
      }
    }
    if identity.isEmpty, !key.attributes.isEmpty { problems.append("\(name) has an identity of no attributes") }
    problems += Self.repeated(identity).filter { !key.attributes.contains($0) }.map { "\(name)'s identity names '\($0)' twice" }
    problems += identity.filter { self[$0] == nil && !key.attributes.contains($0) }.map {
      "\(name)'s identity names '\($0)', which is not an attribute"
    }
    problems += searchProblems
    problems += versionProblems
    problems += generatedProblems
    problems += renameProblems("attribute", attributes.map { ($0.name, $0.renamedFrom) })
    problems += renameProblems("relationship", relationships.map { ($0.name, $0.renamedFrom) })
    problems += Self.repeated(relationships.map(\.name)).map { "\(name) has two relationships named '\($0)'" }
    for relationship in relationships {
      if relationship.name.isEmpty { problems.append("\(name) has a relationship without a name") }
      // A relationship may have the name of the one attribute that holds its key: what follows the name tells them apart.
      let ownAttribute: Bool = if case .toOne(let by, _) = relationship.kind { by == [relationship.name] } else { false }
      if self[relationship.name] != nil, !ownAttribute {
        problems.append("\(name) has an attribute and a relationship named '\(relationship.name)'")
      }
      guard case .toOne(let by, let onDelete) = relationship.kind else { continue }
      if relationship.declaration == .absent, onDelete != .deny {
        problems.append("\(name).\(relationship.name) can't have a delete rule: the store has no foreign key that would follow it")
      }
      for attribute in by where self[attribute] == nil {
        problems.append("\(name).\(relationship.name) names '\(attribute)', which is not an attribute")
      }
      if onDelete == .nullify, by.contains(where: { self[$0]?.isOptional == false }) {
        problems.append("\(name).\(relationship.name) can't be nullified by a delete: it is not optional")
      }
    }
    return problems
  }

  private func renameProblems(_ kind: String, _ names: [(name: String, before: [String])]) -> [String] {
    Self.repeated(names.flatMap(\.before)).map { "\(name) has two \(kind)s that were named '\($0)', or one that was so twice" }
      + names.filter { $0.before.contains($0.name) }.map { "\(name).\($0.name) was named as it is now" }
  }

  private static func repeated<Name: Hashable>(_ names: [Name]) -> [Name] {
    var seen: Set<Name> = []
    var repeated: [Name] = []
    for name in names where !seen.insert(name).inserted && !repeated.contains(name) { repeated.append(name) }
    return repeated
  }
}
