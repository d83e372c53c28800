import DAOKit
import Foundation

/// Values as the clock prints them.
enum Text {
  /// A name, filled with blanks to a width.
  static func column(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

  /// `UTC+05:30`
  static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    return "UTC\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// The time of day where clocks are `offset` seconds ahead of UTC.
  static func time(_ instant: Date, _ offset: Int) -> String {
    let minutes = Int((instant.timeIntervalSince1970 + Double(offset)) / 60)
    return "\(two(minutes / 60 % 24)):\(two(minutes % 60))"
  }

  /// `2026-03-29T01:00:00Z`
  static func date(_ instant: Date) -> String { instant.formatted(.iso8601) }

  /// One line for each statement, on standard error.
  @Sendable static func showStatement(_ statement: StatementTrace) {
    FileHandle.standardError.write(Data("SQL \(statement.sql)\n".utf8))
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
