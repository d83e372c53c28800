import Logging

/// Collects messages as `error rows=1 SELECT …`.
struct PrintedLog: LogHandler {
  let printed: Printed
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    printed.append("\(event.level) \(metadata) \(event.message)")
  }
}
