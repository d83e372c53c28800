#if os(Linux)
  import Foundation

  /// A disk with what it holds for good, and what it has yet to be given.
  struct Disk {
    /// A change of a folder's entries.
    private enum Change {
      case put(String, Int)
      case drop(String)
      case move(String, to: String, Int)
      case makeFolder(String)
      case removeFolder(String)

      /// The folder whose sync makes it last.
      var folder: String {
        switch self {
        case .put(let path, _), .drop(let path), .move(let path, _, _), .makeFolder(let path), .removeFolder(let path):
          path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
        }
      }

      var paths: [String] {
        switch self {
        case .put(let path, _), .drop(let path), .makeFolder(let path), .removeFolder(let path): [path]
        case .move(let path, let target, _): [path, target]
        }
      }

      var isOfFolder: Bool {
        switch self {
        case .makeFolder, .removeFolder: true
        default: false
        }
      }
    }

    /// Contents by a number of our own; the system gives an inode's number away again.
    private var contents: [DiskFile] = []
    private var numbers: [Int64: Int] = [:]
    private var entries: [String: Int] = [:]
    private var folders: Set<String> = []
    private var pending: [Change] = []

    /// A disk that has had time to write everything.
    init(_ root: String) throws {
      for (name, data) in snapshot(root) {
        let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + name)
        if attributes[.type] as? FileAttributeType == .typeDirectory {
          folders.insert(name)
        } else {
          add(inode: (attributes[.systemFileNumber] as? NSNumber)?.int64Value ?? -1, data)
          entries[name] = contents.count - 1
        }
      }
    }

    private mutating func add(inode: Int64, _ data: Data = Data()) {
      contents.append(DiskFile(data))
      numbers[inode] = contents.count - 1
    }

    mutating func apply(_ call: PowerLoss.Call, root: String) {
      func name(_ path: String) -> String { String(path.dropFirst(root.count).drop { $0 == "/" }) }
      if call.kind == .create { add(inode: call.inode) }
      let number = numbers[call.inode]
      switch call.kind {
      case .create: pending.append(.put(name(call.path), number ?? 0))
      case .write, .copy:
        if let number { contents[number].apply(.write(call.data, at: call.offset)) }
      case .truncate:
        if let number { contents[number].apply(.cut(to: call.offset)) }
      case .rename: pending.append(.move(name(call.path), to: name(call.target), number ?? 0))
      case .unlink: pending.append(.drop(name(call.path)))
      case .link: pending.append(.put(name(call.target), number ?? 0))
      case .makeFolder: pending.append(.makeFolder(name(call.path)))
      case .removeFolder: pending.append(.removeFolder(name(call.path)))
      case .sync:
        if let number {
          contents[number].sync()
        } else {
          let folder = name(call.path)
          for change in pending where change.folder == folder { perform(change) }
          pending.removeAll { $0.folder == folder }
        }
      case .read, .other, .clone: break
      }
    }

    private mutating func perform(_ change: Change) {
      switch change {
      case .put(let path, let number): entries[path] = number
      case .drop(let path): entries[path] = nil
      case .move(let path, let target, let number):
        entries[path] = nil
        entries[target] = number
      case .makeFolder(let path): folders.insert(path)
      case .removeFolder(let path): folders.remove(path)
      }
    }

    /// What the disk holds when all has reached it.
    var whole: PowerLoss.State {
      var disk = self
      for change in pending { disk.perform(change) }
      return disk.state(keepingData: true)
    }

    /// With every choice of the pending changes, and the data of all files as it was synced, or as it is now.
    func states(around store: String) -> [PowerLoss.State] {
      choices(around: store).flatMap { disk in [false, true].map { disk.state(keepingData: $0) } }
    }

    /// With every choice of the pending changes, and one of the store's own files in between; the others as they were synced, or as they
    /// are now.
    func mixedStates(around store: String) -> [PowerLoss.State] {
      choices(around: store).flatMap { disk in
        Set(disk.entries.filter { Self.isOwn($0.key, of: store) }.values).flatMap { number in
          contents[number].mixtures.flatMap { bytes in [false, true].map { disk.state(keepingData: $0, with: (number, bytes)) } }
        }
      }
    }

    /// The disks with every choice of the pending changes that concern the store, its own files and its backup; the others are done.
    private func choices(around store: String) -> [Disk] {
      let doubtful = pending.indices.filter { pending[$0].isOfFolder || pending[$0].paths.contains { Self.isOwn($0, of: store) } }
      return (0..<(1 << doubtful.count)).map { choice in
        var disk = self
        for (index, change) in pending.enumerated() {
          if let position = doubtful.firstIndex(of: index), choice & (1 << position) != 0 { continue }
          disk.perform(change)
        }
        return disk
      }
    }

    /// Whether a path is the store's, or that of a file which belongs to it.
    private static func isOwn(_ path: String, of store: String) -> Bool {
      path == store || ["-wal", "-journal"].contains { path == store + $0 }
        || [".backup-", ".erased-", ".base-", ".before-migration"].contains { path.hasPrefix(store + $0) }
    }

    /// - Parameter mixed: a file of other bytes.
    private func state(keepingData: Bool, with mixed: (number: Int, bytes: Data)? = nil) -> PowerLoss.State {
      func isReachable(_ path: String) -> Bool {
        var folder = path
        while let slash = folder.lastIndex(of: "/") {
          folder = String(folder[..<slash])
          if !folders.contains(folder) { return false }
        }
        return true
      }
      var state = PowerLoss.State()
      state.folders = folders.filter(isReachable)
      for (path, number) in entries where isReachable(path) && !path.hasSuffix("-shm") {
        let file = contents[number]
        state.files[path] = number == mixed?.number ? mixed?.bytes : keepingData ? file.current : file.durable
      }
      return state
    }
  }
#endif
