import DAOKit
import Foundation

extension AttributePlan {
  /// A value of a record.
  struct Exported {
    /// The value in JSON.
    let json: String
    /// The text of a cell of CSV; nil for null.
    let cell: String?

    static let null = Exported(json: "null", cell: nil)

    fileprivate static func text(_ text: String) -> Exported { Exported(json: JSONNode.text(text).json, cell: text) }
    fileprivate static func literal(_ text: String) -> Exported { Exported(json: text, cell: text) }
  }

  /// A value as records have it, from which it is read again.
  /// - Throws: ``DAOError/invalidValue(entity:attribute:problem:)`` for a value that no record can hold.
  func exported(_ value: Scalar, of entity: EntityDescription) throws -> Exported {
    switch (value, attribute.type) {
    case (.null, _): return .null
    case (.text(let text), .json): return .literal(text)
    case (.text(let text), _): return .text(text)
    case (.bool(let bool), _): return .literal(bool ? "true" : "false")
    case (.integer(let integer), _): return .literal("\(integer)")
    case (.real(let real), _): return real.isFinite ? .literal("\(real)") : .text(real < 0 ? "-infinity" : "infinity")
    case (.decimal(let number), _): return .literal("\(number)")
    case (.uuid(let uuid), _): return .text(uuid.uuidString.lowercased())
    case (.date(let date), _):
      switch reader.dates.exported(date) {
      case .number(let digits)?: return .literal(digits)
      case .text(let text)?: return .text(text)
      case nil: throw invalid("is a date that its form can't say: \(date)", entity)
      }
    case (.data, .any): throw invalid("holds bytes, which a record can't tell from a text; declare it as data", entity)
    case (.data(let data), _): return .text(data.base64EncodedString())
    }
  }

  private func invalid(_ problem: String, _ entity: EntityDescription) -> DAOError {
    .invalidValue(entity: entity.name, attribute: attribute.name, problem: problem)
  }
}
