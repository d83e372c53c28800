import Foundation

/// How a text says a UUID where it is not in small letters with hyphens: `[.capitals, .inBraces]` is
/// `{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}`.
///
/// A column has one spelling: a UUID that is spelled otherwise is an error of its row, and a finding of the doctor.
public struct UUIDSpelling: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// The options of some bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 7 }

  /// `6BA7B810-9DAD-11D1-80B4-00C04FD430C8`, as .NET, Core Data and Access write it.
  public static let capitals = UUIDSpelling(rawValue: 1)
  /// `6ba7b8109dad11d180b400c04fd430c8`, as Django and Python's `hex` write it.
  public static let withoutHyphens = UUIDSpelling(rawValue: 2)
  /// `{6ba7b810-9dad-11d1-80b4-00c04fd430c8}`, as Access and Windows' registry write it.
  public static let inBraces = UUIDSpelling(rawValue: 4)

  /// The text of a UUID.
  func text(_ uuid: UUID) -> String {
    var text = contains(.capitals) ? uuid.uuidString : uuid.uuidString.lowercased()
    if contains(.withoutHyphens) { text.removeAll { $0 == "-" } }
    return contains(.inBraces) ? "{\(text)}" : text
  }

  /// The UUID of a text that is spelled just so.
  func uuid(_ text: String) -> UUID? {
    var digits = Substring(text)
    if contains(.inBraces) { digits = digits.dropFirst().dropLast() }
    if contains(.withoutHyphens), digits.utf8.count == 32 {
      var hyphenated = ""
      for (place, digit) in digits.enumerated() { hyphenated += ([8, 12, 16, 20].contains(place) ? "-" : "") + String(digit) }
      digits = Substring(hyphenated)
    }
    // Any other spelling of the same UUID would be read, and then not be found again.
    guard let uuid = UUID(uuidString: String(digits)), self.text(uuid) == text else { return nil }
    return uuid
  }
}

extension UUIDSpelling: CustomStringConvertible {
  /// The options in Swift: `[.capitals, .inBraces]`.
  public var description: String { "[\(Self.names.filter { contains($0.option) }.map { ".\($0.name)" }.joined(separator: ", "))]" }

  private static let names: [(option: UUIDSpelling, name: String, declared: String)] = [
    (.capitals, "capitals", "CAPITALS"), (.withoutHyphens, "withoutHyphens", "COMPACT"), (.inBraces, "inBraces", "BRACES"),
  ]

  /// The name in a schema: `UUID_TEXT_CAPITALS_BRACES`.
  var declaredName: String { "UUID_TEXT" + Self.names.filter { contains($0.option) }.map { "_\($0.declared)" }.joined() }

  /// The spelling of a name in a schema, in capitals; nil for other names.
  init?(declared name: String) {
    guard let spelling = (1...7).lazy.map({ UUIDSpelling(rawValue: $0) }).first(where: { $0.declaredName == name }) else { return nil }
    self = spelling
  }
}
