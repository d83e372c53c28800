import Foundation

/// A problem of the time zone data or of the output path, and its location.
struct InputError: Error, Equatable, CustomStringConvertible {
  let path: String
  let line: Int?
  let reason: String

  init(_ file: URL, line: Int? = nil, _ reason: String) {
    self.path = file.path
    self.line = line
    self.reason = reason
  }

  var description: String {
    "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)"
  }
}
