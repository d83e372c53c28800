extension EntityDescription {
  /// The attribute that numbers the changes of a row, if the entity has one.
  public var versionAttribute: Attribute? { versionPosition.map { attributes[$0] } }

  /// The conflict between a row that was to be written, or deleted, and the one in the store; nil where both have one version.
  package func conflict(mine: [StoredValue], theirs: [StoredValue], deletes: Bool = false) -> DAOError? {
    guard let versionPosition, mine[versionPosition] != theirs[versionPosition] else { return nil }
    let row = scalars(of: theirs)
    return .conflict(
      DAOError.Conflict(
        entity: name, key: key.attributes.map { row[$0] ?? .null }, base: nil, mine: deletes ? nil : scalars(of: mine), theirs: row))
  }

  var versionProblems: [String] {
    let versions = attributes.filter(\.isVersion)
    var problems = versions.count > 1 ? ["\(name) has several versions: \(versions.map(\.name).joined(separator: ", "))"] : []
    for attribute in versions {
      if attribute.type != .integer { problems.append("\(name).\(attribute.name) is the version and must be an integer") }
      if attribute.isOptional { problems.append("\(name).\(attribute.name) is the version and can't be optional") }
      if key.attributes.contains(attribute.name) {
        problems.append("\(name).\(attribute.name) is the version and can't be part of the key")
      }
      if attribute.reference != nil { problems.append("\(name).\(attribute.name) is the version and can't be a foreign key") }
    }
    return problems
  }
}

extension FixedWidthInteger {
  /// The version of a row after its next change: one more, and 1 after the largest.
  public var nextVersion: Self { self == .max ? 1 : self + 1 }
}
