import DAOCriteria
import Foundation

/// The error that a stored value breaks its attribute's form, as the text by which a function of SQLite's can report it.
struct UndecodableMessage: Codable {
  let entity: String
  let attribute: String
  let problem: String

  private static let prefix = "dao_undecodable "

  init(_ origin: TermOrigin, _ problem: String) { (entity, attribute, self.problem) = (origin.entity, origin.attribute, problem) }

  /// The error in a message of SQLite's; nil for another message.
  init?(_ message: String) {
    guard message.hasPrefix(Self.prefix),
      let read = try? JSONDecoder().decode(Self.self, from: Data(message.dropFirst(Self.prefix.count).utf8))
    else { return nil }
    self = read
  }

  var text: String { Self.prefix + ((try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "") }

  var error: DAOError { TermOrigin(entity: entity, attribute: attribute).undecodable(ValueProblem(problem)) }
}
