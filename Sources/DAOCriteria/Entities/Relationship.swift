/// A relationship of an entity's rows with rows of another entity, or of the same one.
///
/// ```swift
/// relationships: [
///   .toOne("country", Country.entityDescription, by: "countryCode"),
///   .toMany("transitions", Transition.entityDescription, by: "zoneID"),
///   .manyToMany("countries", Country.entityDescription, through: ZoneCountry.entityDescription, by: "zoneID", to: "countryCode"),
/// ]
/// ```
///
/// Criteria follow it: `\.country.name == "Slovakia"`, `.any(\.transitions, \.offset > 0)`; `prefetch(\.country)` fetches its rows along. A
/// to-one relationship becomes a foreign key and an index of the table. The other entity is named by a closure, so that two can name each
/// other.
public struct Relationship: Sendable {
  /// How the rows of the two are matched.
  public enum Kind: Sendable, Hashable {
    /// These attributes here hold the key of a row there, and a delete of the other row has this effect here.
    case toOne(by: [String], onDelete: DeleteRule)
    /// Rows there hold the key of this row in these attributes.
    case toMany(by: [String])
    /// Rows of an entity between the two hold the key of this row in `by` and that of the other in `to`.
    case manyToMany(by: [String], to: [String])
  }

  /// What the store itself knows of a to-one relationship.
  public enum Declaration: Sendable, Hashable {
    /// A foreign key and an index over its columns, without which each lookup from the other side reads the whole table. The default.
    case indexed
    /// A foreign key alone.
    case foreignKey
    /// Neither: in a store of another program, a person alone knows what the columns hold. Nothing there keeps a row from pointing to one
    /// that is gone, and a delete over there has no effect here.
    case absent
  }

  /// The name in criteria.
  public let name: String
  /// How the rows are matched.
  public let kind: Kind
  /// The attributes that are held by others, where they are not the key: there for a to-one relationship, else here.
  public let referenced: [String]?
  /// What the store itself knows of a to-one relationship.
  public let declaration: Declaration
  /// The names that it had in criteria before. A saved criteria that has one of them is read as if it had ``name``.
  public let renamedFrom: [String]
  /// How records of feeds hold its rows.
  public let mapping: RelationshipMapping

  private let find: @Sendable () -> EntityDescription?
  private let findJoin: (@Sendable () -> EntityDescription?)?

  /// A relationship with an entity that a closure finds.
  public init(
    _ name: String, _ kind: Kind, referenced: [String]? = nil, declared declaration: Declaration = .indexed, renamedFrom: [String] = [],
    mapping: RelationshipMapping = RelationshipMapping(), target: @escaping @Sendable () -> EntityDescription?,
    through join: (@Sendable () -> EntityDescription?)? = nil
  ) {
    self.name = name
    self.kind = kind
    self.referenced = referenced
    self.declaration = declaration
    self.renamedFrom = renamedFrom
    self.mapping = mapping
    find = target
    findJoin = join
  }

  /// One row there, or none: `REFERENCES "country" ("code") ON DELETE …`.
  /// - Parameters:
  ///   - name: the name in criteria.
  ///   - target: the other entity.
  ///   - by: the attributes here that hold its key, in the key's order; the relationship is optional where they are.
  ///   - onDelete: the action on this row when the other one is deleted.
  ///   - declaration: what the store itself knows of it.
  ///   - renamedFrom: names that it had in criteria before, for those that were saved.
  ///   - mapping: how records of feeds hold its rows.
  public static func toOne(
    _ name: String, _ target: @escaping @Sendable @autoclosure () -> EntityDescription, by: String...,
    onDelete: DeleteRule = .deny, declared declaration: Declaration = .indexed, renamedFrom: [String] = [],
    mapping: RelationshipMapping = RelationshipMapping()
  ) -> Relationship {
    Relationship(
      name, .toOne(by: by, onDelete: onDelete), declared: declaration, renamedFrom: renamedFrom, mapping: mapping, target: target)
  }

  /// The rows there that hold this row's key.
  /// - Parameters:
  ///   - name: the name in criteria.
  ///   - target: the other entity.
  ///   - by: its attributes that hold this entity's key, in the key's order.
  ///   - renamedFrom: names that it had in criteria before, for those that were saved.
  ///   - mapping: how records of feeds hold its rows.
  public static func toMany(
    _ name: String, _ target: @escaping @Sendable @autoclosure () -> EntityDescription, by: String...,
    renamedFrom: [String] = [], mapping: RelationshipMapping = RelationshipMapping()
  ) -> Relationship { Relationship(name, .toMany(by: by), renamedFrom: renamedFrom, mapping: mapping, target: target) }

  /// The rows there that are paired with this one by rows of an entity between the two.
  /// - Parameters:
  ///   - name: the name in criteria.
  ///   - target: the other entity.
  ///   - through: the entity whose rows are the pairs.
  ///   - by: its attributes that hold this entity's key, in the key's order.
  ///   - to: its attributes that hold the other's key, in the key's order.
  ///   - renamedFrom: names that it had in criteria before, for those that were saved.
  ///   - mapping: how records of feeds hold its rows.
  public static func manyToMany(
    _ name: String, _ target: @escaping @Sendable @autoclosure () -> EntityDescription,
    through: @escaping @Sendable @autoclosure () -> EntityDescription, by: String..., to: String...,
    renamedFrom: [String] = [], mapping: RelationshipMapping = RelationshipMapping()
  ) -> Relationship {
    Relationship(name, .manyToMany(by: by, to: to), renamedFrom: renamedFrom, mapping: mapping, target: target, through: through)
  }

  /// The other entity; nil where the store that described it has been released.
  public var target: EntityDescription? { find() }

  /// The entity between the two, where there is one.
  public var join: EntityDescription? { findJoin?() }

  /// Whether there can be several rows over there.
  public var isToMany: Bool { if case .toOne = kind { false } else { true } }
}

extension Relationship: Hashable {
  /// Equality of name, kind and references; the entities are not looked up, since they may name each other.
  public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
    lhs.name == rhs.name && lhs.kind == rhs.kind && lhs.referenced == rhs.referenced && lhs.declaration == rhs.declaration
      && lhs.mapping == rhs.mapping
  }

  /// Feeds name and kind.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(kind)
  }
}

extension EntityDescription {
  /// The relationship of this name, if there is one.
  public func relationship(_ name: String) -> Relationship? { relationships.first { $0.name == name } }

  /// The steps of a relationship: one, or two where pairs are between.
  /// - Throws: ``ValueProblem`` where the entities do not fit each other.
  package func steps(of relationship: Relationship) throws -> [RelationshipStep] {
    guard let target = relationship.target else { throw ValueProblem("leads to an entity that is not there") }
    switch relationship.kind {
    case .toOne(let by, _):
      return [try step(by, of: self, to: relationship.referenced ?? target.key.attributes, of: target)]
    case .toMany(let by):
      return [try step(relationship.referenced ?? key.attributes, of: self, to: by, of: target)]
    case .manyToMany(let by, let to):
      guard let join = relationship.join else { throw ValueProblem("goes through an entity that is not there") }
      return [
        try step(relationship.referenced ?? key.attributes, of: self, to: by, of: join),
        try step(to, of: join, to: target.key.attributes, of: target),
      ]
    }
  }

  private func step(
    _ here: [String], of source: EntityDescription, to there: [String], of target: EntityDescription
  ) throws -> RelationshipStep {
    guard here.count == there.count, !here.isEmpty else {
      throw ValueProblem("matches \(here.count) attributes of \(source.name) with \(there.count) of \(target.name)")
    }
    return RelationshipStep(
      target: target,
      pairs: try zip(here, there).map { here, there in
        guard let hereAttribute = source[here] else { throw ValueProblem("names '\(here)', which is no attribute of \(source.name)") }
        guard let thereAttribute = target[there] else { throw ValueProblem("names '\(there)', which is no attribute of \(target.name)") }
        // Beside a column without a type, that column would decide how texts compare.
        let isWithoutType = hereAttribute.type == .any || thereAttribute.type == .any
        let isCollated = hereAttribute.type.isCollated || thereAttribute.type.isCollated
        guard hereAttribute.type == thereAttribute.type || isWithoutType && !isCollated else {
          throw ValueProblem(
            "matches \(source.name).\(here) with \(target.name).\(there), which are stored in different forms: "
              + "\(hereAttribute.type.declaredName) and \(thereAttribute.type.declaredName)"
          )
        }
        return (hereAttribute, thereAttribute)
      })
  }
}
