/// A reason why a record of a feed was refused, or a row of a Core Data store.
public struct ImportProblem: Sendable, Hashable {
  /// The number of the record in the feed, from 0; the Z_PK of a row.
  public let record: Int
  /// The line of the problem in the text, or of the record, from 1; 0 for a row, which stands in no text.
  public let line: Int
  /// The character in the line, from 1; 0 for a row.
  public let column: Int
  /// The value, as a JSON pointer (RFC 6901) in the text: `/3/country/code`; within the record where each stands in a line. For a row, its
  /// entity, its Z_PK and the name of the value: `/CDNote/17/photo`.
  public let pointer: String
  /// The entity.
  public let entity: String
  /// The attribute or relationship; nil where the whole record is refused.
  public let attribute: String?
  /// One sentence without a subject: `expects an integer of 64 bits, not the text "east"`.
  public let message: String
}

extension ImportProblem: CustomStringConvertible {
  /// The position, the subject and the message: `record 3, line 4, column 17, /3/offset: zone.offset expects …`.
  public var description: String {
    let subject = attribute.map { "\(entity).\($0)" } ?? entity
    if line == 0 { return "\(pointer): \(subject) \(message)" }
    return "record \(record), line \(line), column \(column)\(pointer.isEmpty ? "" : ", \(pointer)"): \(subject) \(message)"
  }
}
