#if os(Linux)
  import DAOCriteria
  import Foundation

  @testable import DAOSQLite

  /// A start that finds its store made of the shipped seed, a packed one: whatever can't be read, it is no other seed, and nothing is
  /// replaced.
  struct UnchangedSeedScenario: Interruptible {
    let scratch: Scratch
    private let rows = (Items.names("one", 120) + Items.names("mine", 20)).sorted()
    private var seed: URL { scratch.url("seed.sqlite") }
    private static let store = "store"

    init() throws {
      scratch = try Scratch()
      try Items.make(scratch.url("raw.sqlite"), "one")
      try SeedPacker(describedBy: [item], applicationID: 7, version: 3).pack(scratch.url("raw.sqlite"), to: seed)
      let store = scratch.url("template/" + Self.store)
      _ = try bootstrapper(seed).bootstrap(store, policy: .replace)
      try Items.addInWAL(store, "mine")
    }

    var title: String { "unchanged" }

    func start(in root: String, shim: [String: String]?) throws -> Child {
      try Probe.start(seed, root + "/" + Self.store, "replace", root, shim: shim)
    }

    func breakage(in root: String, after end: Child.End) -> String? {
      do {
        let found = try Items.read(URL(fileURLWithPath: root + "/" + Self.store))
        return found == rows ? nil : "there are \(found.count) rows of another store"
      } catch { return "\(error)" }
    }

    func complaint(afterAnotherGoIn root: String) throws -> String? {
      let end = try start(in: root, shim: nil).wait()
      return end.output.contains("end reused") ? breakage(in: root, after: end) : "the next start: \(end.output)"
    }
  }
#endif
