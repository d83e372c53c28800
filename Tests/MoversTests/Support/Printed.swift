import Foundation

/// Collects what the code of the tables prints.
final class Printed: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  /// The printed lines, in their order.
  var texts: [String] { lock.withLock { lines } }

  /// Appends a line.
  func append(_ line: String) { lock.withLock { lines.append(line) } }
}
