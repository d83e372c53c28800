import DAOKit

/// A mapping of records to the entities of one kind, beside the one that the entity declares: it changes parts of that for one feed, and
/// has hooks.
///
/// ```swift
/// var people = ImportMapping<Person>()
/// people.identity = ["externalID"]
/// people[\.lastName] = ["surname", "name.last"]
/// people[related: "employer"] = RelationshipMapping("company", targets: .link)
/// people.before { record in record["deleted"] == true ? .skip : .proceed }
/// people.include(companies)                   // an ImportMapping<Company>, for companies within people
///
/// try factory.runtimeDAO(Person.self).import(.json(url), people)
/// ```
///
/// Hooks are called in this order:
///
/// 1. `before` the record;
/// 2. each attribute in the entity's order: `before` it where the record has it, then `instead` of it or the value that is read, then
///    `after` it;
/// 3. each relationship, those to one row first: `before` it where the record has it, `instead` of it, and then 1 to 3 for the records
///    within it;
/// 4. `instead` of the record, with the rows of its to-one relationships stored;
/// 5. the row is stored, then those of its to-many relationships;
/// 6. `after` each relationship that the record has, and `after` the record.
///
/// 1 to 3 run when the record is read, 4 to 6 when its group of up to 10,000 records is stored, in the transaction of the import: calls of
/// a DAO of the same store join it. There is one hook of each kind, and another takes its place.
///
/// A hook that throws refuses the record of the feed, which leaves no trace but what a hook of 1 to 3 wrote itself. Errors that are not
/// about a row end the import: a cancelled task, ``DAOError/timedOut(_:message:)``, ``DAOError/misuse(_:use:)``. Where a record is refused
/// by the store, or by a hook of 4 to 6, its group is stored again in tenths, down to single records, and those hooks are called again.
public struct ImportMapping<E: Entity>: Sendable {
  /// The attributes by which records are found among the rows; nil for those that the entity declares.
  public var identity: [String]?

  var attributes: [String: AttributeMapping] = [:]
  var relationships: [String: RelationshipMapping] = [:]
  var hooks = EntityHooks()
  var included: [any IncludedMapping] = []

  /// The mapping that the entity declares.
  public init() {}

  /// The mapping of an attribute; nil for the one that the entity declares.
  public subscript<Value>(attribute: FieldKeyPath<E, Value>) -> AttributeMapping? {
    get { attributes[E.name(attribute)] }
    set { attributes[E.name(attribute)] = newValue }
  }

  /// The mapping of the attribute of this name; nil for the one that the entity declares.
  public subscript(attribute: String) -> AttributeMapping? {
    get { attributes[attribute] }
    set { attributes[attribute] = newValue }
  }

  /// The mapping of the relationship of this name; nil for the one that the entity declares.
  public subscript(related relationship: String) -> RelationshipMapping? {
    get { relationships[relationship] }
    set { relationships[relationship] = newValue }
  }

  /// Uses a mapping for the records of its entity that are within others. Their rows are also checked by its Swift type.
  ///
  /// Of several mappings of an entity the last one counts, and for the feed's own entity this one.
  public mutating func include<Other>(_ mapping: ImportMapping<Other>) { included.append(mapping) }
}

extension Entity {
  /// The name of the attribute that a key path leads to.
  static func name<Value>(_ attribute: FieldKeyPath<Self, Value>) -> String { Self.names([attribute]).first ?? "" }
}
