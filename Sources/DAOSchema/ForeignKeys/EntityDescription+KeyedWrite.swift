import DAOCriteria

extension EntityDescription {
  /// An entity as the row that a write was about; nil where it has none.
  package func keyedWrite(of entity: some Entity, _ rule: UpsertRule = UpsertRule()) -> KeyedWrite? {
    var writer = ColumnWriter(collecting: types)
    guard (try? entity.write(to: &writer)) != nil, (try? writer.endRow()) != nil else { return nil }
    return .row(writer.values, setting: attributes(setBy: rule))
  }

  /// The attributes that an upsert sets in a row that it meets; nil where they are all but those by which it meets it, the key.
  package func attributes(setBy rule: UpsertRule) -> [String]? {
    if let updating = rule.updating { return updating }
    guard let target = rule.target else { return nil }
    return attributes.map(\.name).filter { !target.contains($0) && !key.attributes.contains($0) }
  }

  /// A key as that of a row that was to be deleted.
  package func deletion(of key: some EntityKey) -> KeyedWrite? {
    var writer = ColumnWriter(collecting: keyTypes)
    guard (try? key.write(to: &writer)) != nil else { return nil }
    return .deletion(key: writer.values)
  }
}

extension KeyedWrite {
  /// Describes an update of many rows.
  package init?(_ kind: Criteria.Use, of entity: EntityDescription) {
    guard case .update(let changes) = kind else { return nil }
    self = .change(
      to: changes.compactMap { change -> (attribute: String, value: StoredValue?)? in
        guard case .field(let path) = change.target else { return nil }
        guard case .value(let scalar) = change.value else { return (path.description, nil) }
        return (path.description, try? entity[path.description]?.type.stored(scalar))
      })
  }
}
