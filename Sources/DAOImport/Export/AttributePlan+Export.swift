import DAOKit
import DAORecords
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
    case (.text(let text), .json): return .literal(try document(text, entity))
    case (.text(let text), _): return .text(text)
    case (.bool(let bool), _): return .literal(bool ? "true" : "false")
    case (.integer(let integer), _): return .literal("\(integer)")
    case (.real(let real), .any) where !real.isFinite: throw invalid("holds \(real), which a record can't tell from a text", entity)
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

  /// A document as a part of a record, in one line.
  private func document(_ text: String, _ entity: EntityDescription) throws -> String {
    var reader = JSONRecordReader(ByteSource(Data("[\(text)]".utf8)))
    var record = Record()
    do {
      guard try reader.next(&record), record.kind(of: 0) != .null else {
        throw invalid("holds the document null, which a record can't tell from nil", entity)
      }
    } catch let problem as RecordProblem { throw invalid("holds a document that can't stand in a record: it \(problem.message)", entity) }
    return record.node().json
  }

  private func invalid(_ problem: String, _ entity: EntityDescription) -> DAOError {
    .invalidValue(entity: entity.name, attribute: attribute.name, problem: problem)
  }
}
