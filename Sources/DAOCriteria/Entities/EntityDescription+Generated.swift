extension EntityDescription {
  /// The attributes that statements write: all but those that the store computes.
  package var writtenAttributes: [Attribute] { attributes.filter { !$0.isGenerated } }

  /// The problems of the attributes declared generated.
  var generatedProblems: [String] {
    attributes.filter(\.isGenerated).flatMap { attribute in
      let refusals = [
        (isReadOnly, "is of a view, of which nothing is written"),
        (key.attributes.contains(attribute.name), "can't be part of the key"),
        (attribute.isVersion, "can't be the version"),
        (attribute.isSearchable, "can't be searchable"),
        (attribute.defaultValue != nil, "can't have a default"),
        (identity.contains(attribute.name) && !key.attributes.contains(attribute.name), "can't be part of the identity"),
      ]
      return refusals.filter(\.0).map { "\(name).\(attribute.name) is generated and \($1)" }
    }
  }
}

extension Attribute {
  /// The problem of a write that names an attribute which the store computes.
  package static let generatedProblem = "is a generated column, which the store computes by itself"
}
