#if os(Linux)
  import Foundation

  /// A file's bytes: those that it has for good, those that it has now, and what was done to it in between.
  struct DiskFile {
    enum Operation {
      case write(Data, at: Int)
      case cut(to: Int)

      func apply(to bytes: inout Data) {
        let end =
          switch self {
          case .write(let data, let offset): offset + data.count
          case .cut(let size): size
          }
        if bytes.count < end { bytes.append(Data(count: end - bytes.count)) }
        switch self {
        case .write(let data, let offset): bytes.replaceSubrange(offset..<end, with: data)
        case .cut(let size): bytes.removeLast(bytes.count - size)
        }
      }

      /// The first sector of what is written; nil where that is all, or nothing is.
      var beginning: Operation? {
        guard case .write(let data, let offset) = self, data.count > 512 else { return nil }
        return .write(data.prefix(512), at: offset)
      }
    }

    private(set) var durable: Data
    private(set) var current: Data
    private var unsynced: [Operation] = []

    init(_ data: Data) { (durable, current) = (data, data) }

    mutating func apply(_ operation: Operation) {
      operation.apply(to: &current)
      unsynced.append(operation)
    }

    mutating func sync() {
      durable = current
      unsynced = []
    }

    /// What the file may hold where something of what was not synced has reached the disk and something has not: for each operation, with
    /// it missing, with no other, and with no more than its beginning.
    var mixtures: Set<Data> {
      var found: Set<Data> = []
      for (number, operation) in unsynced.enumerated() {
        found.insert(made(of: unsynced[..<number] + unsynced[(number + 1)...]))
        found.insert(made(of: [operation]))
        if let beginning = operation.beginning { found.insert(made(of: unsynced[..<number] + [beginning] + unsynced[(number + 1)...])) }
      }
      return found.subtracting([durable, current])
    }

    private func made(of operations: some Sequence<Operation>) -> Data {
      var bytes = durable
      for operation in operations { operation.apply(to: &bytes) }
      return bytes
    }
  }
#endif
