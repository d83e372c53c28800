#if os(Linux)
  import DAOCriteria
  import Foundation

  /// A call to which something happened, as the shim tells it.
  struct MetCall {
    enum Fate: String { case failed, half, spared }
    let kind: PowerLoss.Call.Kind
    /// Whether the library made it, and not SQLite.
    let isOurs: Bool
    let fate: Fate

    /// The calls that are told in a file; none where nothing happened, and there is no file.
    static func read(_ url: URL) throws -> [MetCall] {
      guard FileManager.default.fileExists(atPath: url.path) else { return [] }
      return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let kind = Int64(words[0]).flatMap(PowerLoss.Call.Kind.init), let fate = Fate(rawValue: words[2]) else {
          throw DAOError.unsupported("the shim says \(line)")
        }
        return MetCall(kind: kind, isOurs: words[1] == "1", fate: fate)
      }
    }
  }
#endif
