extension Criteria.Term {
  /// Returns the type of the term's values among the rows of an entity; nil for a value, which takes the type of the term that it is
  /// compared with, and for a term that does not fit the entity.
  package func type(in entity: EntityDescription) -> AttributeType? {
    switch self {
    case .field(let path): entity.attribute(at: path)?.type
    case .value, .unstorable: nil
    case .search(.relevance, _): .real
    case .search: .text
    case .related(let aggregate, let path, let inner, _):
      entity.target(of: path.names[...]).flatMap { Criteria.Term.aggregate(aggregate, inner).type(in: $0) }
    case .function(let function, let terms):
      function.form.result ?? function.result(of: function.terms(among: terms).compactMap { $0.type(in: entity) })
    case .aggregate(let aggregate, let inner): aggregate.form.type(of: inner?.type(in: entity))
    }
  }
}

extension Function {
  /// Returns the result type for terms of the given types, where it depends on them; nil where no type is known.
  func result(of types: [AttributeType]) -> AttributeType? {
    switch self {
    // Integers beside doubles are read as doubles.
    case .coalesce: types.first { $0 == .real } ?? types.first
    case .round: types.first == .any ? .real : types.first
    case .lower, .upper, .length, .abs, .trim, .concat, .replace, .substring, .year, .month, .day, .weekday, .hour, .startOfDay,
      .startOfWeek, .startOfMonth, .startOfYear, .jsonText, .jsonInteger, .jsonReal, .jsonBool:
      types.first
    }
  }

  /// The arguments that are terms.
  func terms(among arguments: [Criteria.Term]) -> ArraySlice<Criteria.Term> {
    arguments.prefix(form.termCount(among: arguments.count) ?? arguments.count)
  }
}

extension EntityDescription {
  /// The attribute at the end of a path.
  fileprivate func attribute(at path: FieldPath) -> Attribute? {
    // A name may have dots of its own.
    self[path.description] ?? path.names.last.flatMap { target(of: path.names.dropLast())?[$0] }
  }

  /// The entity at the end of a path of relationships.
  func target(of names: ArraySlice<String>) -> EntityDescription? {
    names.reduce(self) { entity, name in entity?.relationship(name)?.target }
  }
}
