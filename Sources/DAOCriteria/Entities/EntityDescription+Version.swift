extension EntityDescription {
  /// The attribute that numbers the changes of a row, if the entity has one.
  public var versionAttribute: Attribute? { versionPosition.map { attributes[$0] } }

  /// Checks that the type of the entities raises its version, since an entity that came back with its old one could never be written again.
  /// One of them shows it; an entity that can't be written is left to the write.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``.
  package func checkRaising<E: Entity>(_ entities: [E]) throws {
    guard let versionPosition, let entity = entities.first else { return }
    var raised = entity
    raised.raiseVersion()
    guard case .integer(let before)? = try? storedValues(of: entity)[versionPosition],
      let after = try? storedValues(of: raised)[versionPosition], after != .integer(before.nextVersion)
    else { return }
    let version = attributes[versionPosition].name
    throw DAOError.invalidDescription(
      entity: name,
      problems: ["\(name).\(version) is the version; \(E.self) needs mutating func raiseVersion() { \(version) = \(version).nextVersion }"])
  }

  /// The conflict between a row that was to be written, or deleted, and the one in the store; nil where both have one version.
  package func conflict(mine: [StoredValue], theirs: [StoredValue], deletes: Bool = false) -> DAOError? {
    // As SQL compares them: in a column without a type 1 is 1.0.
    guard let versionPosition, mine[versionPosition].compare(theirs[versionPosition], as: .any) != 0 else { return nil }
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
      let isReference = relationships.contains { if case .toOne(let by, _) = $0.kind { by.contains(attribute.name) } else { false } }
      if attribute.reference != nil || isReference {
        problems.append("\(name).\(attribute.name) is the version and can't be a foreign key")
      }
      if indexes.contains(where: { $0.isUnique && $0.attributes.contains(attribute.name) }) {
        problems.append("\(name).\(attribute.name) is the version and can't be in a unique index: two rows may have the same")
      }
    }
    return problems
  }
}

extension Int {
  /// The version of a row after its next change: one more, and 1 after the largest.
  public var nextVersion: Int { self == .max ? 1 : self + 1 }
}

extension Int64 {
  /// The version of a row after its next change: one more, and 1 after the largest.
  public var nextVersion: Int64 { self == .max ? 1 : self + 1 }
}
