import DAOKit

extension DAOError {
  /// Whether the error says something of a row, not of the store or the call.
  var isOfRecord: Bool {
    switch self {
    case .constraint, .invalidValue, .conflict, .notFound, .undecodable: true
    default: false
    }
  }

  /// The entity and the attributes that the error names.
  var subject: (entity: String, attribute: String?)? {
    switch self {
    case .constraint(_, let entity, let attributes, _): (entity, attributes.isEmpty ? nil : attributes.joined(separator: ", "))
    case .invalidValue(let entity, let attribute, _): (entity, attribute)
    default: nil
    }
  }
}
