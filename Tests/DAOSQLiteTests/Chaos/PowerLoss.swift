#if os(Linux)
  import DAOCriteria
  import Foundation

  /// A recorded run, and every state in which power loss could leave the disk on the way.
  ///
  /// The disk keeps what was synced. A file's content lasts when the file is synced; a folder's entries last when the folder is synced. What
  /// is done and not synced may have reached the disk or not: the data all or not at all, the entries each by itself, since nothing but a
  /// sync orders them.
  struct PowerLoss {
    /// A call that changed something, as the shim recorded it.
    struct Call {
      /// Reads are not recorded, and of a clone the bytes that it brought are, as a write.
      enum Kind: Int64 { case read, create, write, truncate, rename, unlink, link, sync, makeFolder, removeFolder, other, copy, clone }
      let kind: Kind
      /// Whether the library made it, and not SQLite.
      let isOurs: Bool
      let inode: Int64
      let offset: Int
      let path: String
      let target: String
      let data: Data
    }

    /// Names below the root and what they hold.
    struct State: Hashable {
      var folders: Set<String> = []
      var files: [String: Data] = [:]
    }

    let root: String
    let calls: [Call]
    private let initial: Disk

    /// Runs what changes the files below a root, and records it.
    init(_ root: String, _ start: (_ shim: [String: String]) throws -> Child) throws {
      let log = try Scratch()
      self.root = root
      initial = try Disk(root)
      let end = try start(["DAO_SHIM_LOG": log.path + "/log"]).wait()
      guard end.status == 0 else { throw DAOError.unsupported("the probe does not run: \(end.output)") }
      calls = try Self.parse(try Data(contentsOf: log.url("log")))
    }

    /// What the disk holds when everything has reached it.
    func stateAtEnd() -> State {
      var disk = initial
      for call in calls { disk.apply(call, root: root) }
      return disk.states(keepingData: true, around: nil)[0]
    }

    /// The states that power loss after so many calls can leave; with one sync left out, if asked for.
    func states(
      after count: Int, without sync: Int? = nil, around store: String, ignoring isIgnored: (Call) -> Bool = { _ in false }
    ) -> Set<State> {
      var disk = initial
      for (number, call) in calls.prefix(count).enumerated() where number != sync && !isIgnored(call) { disk.apply(call, root: root) }
      return Set(disk.states(keepingData: false, around: store) + disk.states(keepingData: true, around: store))
    }

    /// The numbers of the syncs in the library's own code.
    var ownSyncs: [Int] { calls.indices.filter { calls[$0].kind == .sync && calls[$0].isOurs } }

    private static func parse(_ log: Data) throws -> [Call] {
      var calls: [Call] = []
      var rest = log[...]
      func take(_ count: Int) -> Data {
        defer { rest = rest.dropFirst(count) }
        return Data(rest.prefix(count))
      }
      while !rest.isEmpty {
        let head = take(48).withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
        let paths = String(decoding: take(Int(head[4])), as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false).map(
          String.init)
        guard let kind = Call.Kind(rawValue: head[0]), paths.count == 2 else { throw DAOError.unsupported("the log is damaged") }
        calls.append(
          Call(
            kind: kind, isOurs: head[1] == 1, inode: head[2], offset: Int(head[3]), path: paths[0], target: paths[1],
            data: take(Int(head[5]))))
      }
      return calls
    }
  }

  /// A disk with what it holds for good, and what it has yet to be given.
  private struct Disk {
    /// A change of a folder's entries.
    enum Change {
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
    private var contents: [(durable: Data, current: Data)] = []
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
      contents.append((data, data))
      numbers[inode] = contents.count - 1
    }

    mutating func apply(_ call: PowerLoss.Call, root: String) {
      func name(_ path: String) -> String { String(path.dropFirst(root.count).drop { $0 == "/" }) }
      if call.kind == .create { add(inode: call.inode) }
      let number = numbers[call.inode]
      switch call.kind {
      case .create: pending.append(.put(name(call.path), number ?? 0))
      case .write, .copy:
        guard let number else { return }
        let end = call.offset + call.data.count
        if contents[number].current.count < end { contents[number].current.append(Data(count: end - contents[number].current.count)) }
        contents[number].current.replaceSubrange(call.offset..<end, with: call.data)
      case .truncate:
        guard let number else { return }
        let count = contents[number].current.count
        if call.offset > count { contents[number].current.append(Data(count: call.offset - count)) }
        if call.offset < count { contents[number].current.removeLast(count - call.offset) }
      case .rename: pending.append(.move(name(call.path), to: name(call.target), number ?? 0))
      case .unlink: pending.append(.drop(name(call.path)))
      case .link: pending.append(.put(name(call.target), number ?? 0))
      case .makeFolder: pending.append(.makeFolder(name(call.path)))
      case .removeFolder: pending.append(.removeFolder(name(call.path)))
      case .sync:
        if let number {
          contents[number].durable = contents[number].current
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

    /// With every choice of the pending changes that concern the store, its own files and its backup; the others are done. All are done where
    /// no store is named.
    func states(keepingData: Bool, around store: String?) -> [PowerLoss.State] {
      let doubtful = pending.indices.filter { index in
        guard let store else { return false }
        return pending[index].isOfFolder
          || pending[index].paths.contains { path in
            path == store || [".backup-", ".erased-", ".base-", ".before-migration"].contains { path.hasPrefix(store + $0) }
              || ["-wal", "-journal"].contains { path == store + $0 }
          }
      }
      return (0..<(1 << doubtful.count)).map { choice in
        var disk = self
        for (index, change) in pending.enumerated() {
          if let position = doubtful.firstIndex(of: index), choice & (1 << position) != 0 { continue }
          disk.perform(change)
        }
        return disk.state(keepingData: keepingData)
      }
    }

    private func state(keepingData: Bool) -> PowerLoss.State {
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
        state.files[path] = keepingData ? contents[number].current : contents[number].durable
      }
      return state
    }
  }

  extension PowerLoss.State {
    /// Puts the state on a real disk.
    func write(to root: String) throws {
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      for folder in folders { try FileManager.default.createDirectory(atPath: root + "/" + folder, withIntermediateDirectories: true) }
      for (name, data) in files { try data.write(to: URL(fileURLWithPath: root + "/" + name)) }
    }
  }
#endif
