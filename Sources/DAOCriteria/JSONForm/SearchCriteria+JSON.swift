import Foundation

extension Criteria {
  /// The criteria as JSON text, for an entity: `Documentation/criteria-json.md` has the form. Equal criteria are equal texts.
  ///
  /// ```swift
  /// let text = try criteria.json(of: zones.entity)
  /// let (entity, same) = try CriteriaDecoder(allowing: .everything, limits: .own).decode(Data(text.utf8), of: [zones.entity])
  /// ```
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` where it has a value that can't be stored.
  public func json(of entity: EntityDescription) throws -> String { try CriteriaWriter.write(self, of: entity).json }
}

extension SearchCriteria {
  /// The criteria as JSON text; `Documentation/criteria-json.md` has the form. Equal criteria are equal texts.
  ///
  /// ```swift
  /// let text = try SearchCriteria<Zone>.where(\.standardOffset > 3600).limit(20).json()
  /// // {"entity":"zone","filter":{"compare":"standardOffset","is":">","to":{"value":3600}},"limit":20,"version":1}
  /// ```
  ///
  /// Dynamic criteria do not know their entity; for those there is ``Criteria/json(of:)``.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` where it has a value that can't be stored.
  public func json() throws -> String { try criteria.json(of: Root.describedEntity) }
}

/// Coded as the object that ``json()`` writes, within any format: for trusted criteria.
///
/// Reading applies no allow list and no limit but that of depth. A type that is decoded from untrusted input must not have a member of this
/// type: it takes the criteria as text, and passes the text to a ``CriteriaDecoder``.
///
/// A property list has no null but the text `"$null"`, and that text is therefore read as null.
extension SearchCriteria: Codable {
  /// Reads a query, without limits but those of depth.
  public init(from decoder: any Decoder) throws {
    var reader = CriteriaReader([try Root.describedEntity], .everything, .own)
    self.init(try reader.read(try JSONNode(from: decoder)).criteria)
  }

  /// Writes the criteria.
  public func encode(to encoder: any Encoder) throws { try CriteriaWriter.write(criteria, of: Root.describedEntity).encode(to: encoder) }
}

extension Entity {
  /// The description, where there is one at all.
  static var describedEntity: EntityDescription {
    get throws {
      guard Self.self != DynamicEntity.self else {
        throw DAOError.misuse(
          "dynamic criteria do not know their entity", use: "json(of:) and CriteriaDecoder.decode(_:of:) with its description")
      }
      return entityDescription
    }
  }
}
