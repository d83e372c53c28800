#if os(Linux)
  import Foundation

  /// Something that is done to a store by a process of its own.
  protocol Interruptible: Sendable {
    /// What is done, in a word.
    var title: String { get }
    /// Where all is that it reads and writes; what is there before a run, in its folder `template`.
    var scratch: Scratch { get }
    /// Whether two runs may take other calls.
    var isVaried: Bool { get }
    func start(in root: String, shim: [String: String]?) throws -> Child
    /// What is wrong with what a run has left, whichever way it ended; nil for the state before or after it, whole.
    func breakage(in root: String, after end: Child.End) -> String?
    /// Does it once more, undisturbed, and tells what is then wrong; nil for nothing.
    func complaint(afterAnotherGoIn root: String) throws -> String?
  }

  extension Interruptible {
    var isVaried: Bool { false }

    /// What makes the shim count the calls that read, of seeds too.
    var reads: [String: String] { ["DAO_SHIM_READS": "1", "DAO_SHIM_ROOT": scratch.path] }

    /// What makes it count the calls that write, and no others that change files.
    var writes: [String: String] { ["DAO_SHIM_WRITES": "1"] }

    /// A folder for one run, with all that is there before.
    func makeRoot() throws -> String {
      let root = scratch.path + "/run-\(UUID().uuidString)"
      try FileManager.default.copyItem(atPath: scratch.path + "/template", toPath: root)
      return root
    }

    /// How many calls are counted in an undisturbed run.
    /// - Parameter which: what makes the shim count others than those that change files.
    func calls(_ which: [String: String] = [:]) throws -> Int {
      let scratch = try Scratch()
      let end = try start(in: makeRoot(), shim: which.merging(["DAO_SHIM_COUNT": scratch.path + "/count"]) { $1 }).wait()
      guard end.status == 0, let count = Int(try String(contentsOf: scratch.url("count"), encoding: .utf8)) else {
        throw Unusable(description: "the probe does not run: \(end.output)")
      }
      return count
    }
  }

  /// Something that is done at once or not at all.
  protocol AllOrNothing: Interruptible {
    /// The file, below the root, that is made, replaced or removed.
    var subject: String { get }
    func find(in root: String) -> Found
    /// What may not come back once it was said that it is done.
    func remains(in root: String) -> [String]
  }

  /// What is found of something that is done at once or not at all.
  enum Found: Hashable, Sendable {
    /// All as it was, or all done.
    case before, after
    case broken(String)
  }

  extension AllOrNothing {
    func breakage(in root: String, after end: Child.End) -> String? {
      switch find(in: root) {
      case .before: end.saysItIsDone ? "it says that it was done, and was not" : nil
      case .after: nil
      case .broken(let why): why
      }
    }

    func remains(in root: String) -> [String] { [] }
  }

  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }
#endif
