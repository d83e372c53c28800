#if os(Linux)
  import Foundation

  /// Something that is done to a store by a process of its own.
  protocol Interruptible: Sendable {
    /// What is done, in a word.
    var title: String { get }
    /// A folder for one run, with all that is there before.
    func makeRoot() throws -> String
    func start(in root: String, shim: [String: String]?) throws -> Child
    /// What is wrong with what a run has left, whichever way it ended; nil for the state before or after it, whole.
    func breakage(in root: String, after end: Child.End) -> String?
    /// Does it once more, undisturbed, and tells what is then wrong; nil for nothing.
    func complaint(afterAnotherGoIn root: String) throws -> String?
  }

  extension Interruptible {
    /// How many calls are counted in an undisturbed run: those that change files, or those that read them.
    func calls(reading: Bool = false) throws -> Int {
      let scratch = try Scratch()
      var shim = ["DAO_SHIM_COUNT": scratch.path + "/count"]
      if reading { shim["DAO_SHIM_READS"] = "1" }
      let end = try start(in: makeRoot(), shim: shim).wait()
      guard end.status == 0, let count = Int(try String(contentsOf: scratch.url("count"), encoding: .utf8)) else {
        throw Unusable(description: "the probe does not run: \(end.output)")
      }
      return count
    }
  }

  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  extension Scenario: Interruptible {
    var title: String { name.rawValue }

    func start(in root: String, shim: [String: String]?) throws -> Child { try Probe.start(self, root, shim: shim) }

    func breakage(in root: String, after end: Child.End) -> String? {
      switch find(in: root) {
      case .none, .old: end.status == 0 ? "it says that it was done, and was not" : nil
      case .new: nil
      case .broken(let why): why
      }
    }

    func complaint(afterAnotherGoIn root: String) throws -> String? {
      let end = try start(in: root, shim: nil).wait()
      return end.status == 0 ? complaint(afterNextStartIn: root) : "the next start fails: \(end.output)"
    }
  }

  extension LifeScenario: Interruptible {
    var title: String { name.rawValue }

    func breakage(in root: String, after end: Child.End) -> String? {
      switch find(in: root) {
      case .before: end.status == 0 ? "it says that it was done, and was not" : nil
      case .after: nil
      case .broken(let why): why
      }
    }

    func complaint(afterAnotherGoIn root: String) throws -> String? { try complaint(afterDoingItAgainIn: root) }
  }
#endif
