#if os(Linux)
  import DAOCriteria
  import Foundation

  /// A recorded run, and the states in which power loss could leave the disk on the way.
  ///
  /// The disk keeps what was synced. A file's content lasts when the file is synced; a folder's entries last when the folder is synced.
  /// What is done and not synced may have reached the disk or not, since nothing but a sync orders it: the entries each by itself; the data
  /// of all files all or not at all (`states`); or, of one file at a time, all but one write or truncation, or just one, or one of which
  /// just the first sector has (`mixedStates`).
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

      /// `Data` gives no more than its first bytes, which most states have alike.
      func hash(into hasher: inout Hasher) {
        for name in files.keys.sorted() {
          hasher.combine(name)
          files[name]?.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
      }
    }

    let root: String
    private(set) var calls: [Call]
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

    /// The same run with other calls.
    func replaying(_ calls: [Call]) -> PowerLoss {
      var run = self
      run.calls = calls
      return run
    }

    /// What the disk holds when everything has reached it.
    func stateAtEnd() -> State { disk(after: calls.count).whole }

    /// The states that power loss after so many calls can leave, with all files alike; with some syncs left out, if asked for.
    func states(
      after count: Int, without syncs: Set<Int> = [], around store: String, ignoring isIgnored: (Call) -> Bool = { _ in false }
    ) -> Set<State> {
      Set(disk(after: count, without: syncs, ignoring: isIgnored).states(around: store))
    }

    /// Those with one file in between. None where the next call writes: what may be lost then may be lost after it as well.
    func mixedStates(after count: Int, around store: String, ignoring isIgnored: (Call) -> Bool = { _ in false }) -> Set<State> {
      if count < calls.count, [.write, .copy].contains(calls[count].kind) { return [] }
      return Set(disk(after: count, ignoring: isIgnored).mixedStates(around: store))
    }

    private func disk(after count: Int, without syncs: Set<Int> = [], ignoring isIgnored: (Call) -> Bool = { _ in false }) -> Disk {
      var disk = initial
      for (number, call) in calls.prefix(count).enumerated() where !syncs.contains(number) && !isIgnored(call) {
        disk.apply(call, root: root)
      }
      return disk
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

  extension PowerLoss.State {
    /// Puts the state on a real disk.
    func write(to root: String) throws {
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      for folder in folders { try FileManager.default.createDirectory(atPath: root + "/" + folder, withIntermediateDirectories: true) }
      for (name, data) in files { try data.write(to: URL(fileURLWithPath: root + "/" + name)) }
    }
  }
#endif
