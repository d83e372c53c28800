#if os(Linux)
  import DAOCriteria
  import Foundation
  import GRDB

  @testable import DAOSQLite

  /// Two writers, each of which commits three rows at a time with a tally of its commits, and says so once they are there.
  struct WriteScenario: Interruptible {
    /// How they write; so much of it, heavily, that the WAL is folded in, and begun anew, between commits.
    enum Form: String {
      case ordinary = "write"
      case heavy = "writeHeavily"
      case units = "writeUnits"
    }

    static let store = "store"
    let scratch: Scratch
    private let form: Form
    private let old = Items.names("old", 40)

    init(_ form: Form = .ordinary) throws {
      self.form = form
      scratch = try Scratch()
      try FileManager.default.createDirectory(atPath: scratch.path + "/template", withIntermediateDirectories: true)
      let store = scratch.url("template/" + Self.store)
      try Items.make(store, "old", count: 40)
      try Items.addInWAL(store, "mine")
    }

    var title: String {
      switch form {
      case .ordinary: "ordinary writes"
      case .heavy: "heavy writes"
      case .units: "commits of units"
      }
    }
    /// Two writers do not take the same calls each time.
    var isVaried: Bool { true }

    func start(in root: String, shim: [String: String]?) throws -> Child {
      try Probe.start(nil, root + "/" + Self.store, form.rawValue, root, shim: shim)
    }

    func breakage(in root: String, after end: Child.End) -> String? {
      let said = end.output.split(separator: "\n").filter { $0.hasPrefix("there ") }.map { String($0.dropFirst(6)) }
      do {
        let names = try Items.read(URL(fileURLWithPath: root + "/" + Self.store))
        return breakage(names, said: Set(said)) ?? (end.saysItIsDone && said.count != 24 ? "\(said.count) commits were said" : nil)
      } catch { return "\(error)" }
    }

    /// Every commit that was said is there, and beyond those at most the one that each writer had in flight; all of them whole, and once.
    func breakage(_ names: [String], said: Set<String>) -> String? {
      // By commit.
      var parts: [String: [String]] = [:]
      var tallies: [String] = []
      var others: [String] = []
      for name in names {
        let words = name.split(separator: "-", maxSplits: 2).map(String.init)
        if words.count == 3 {
          parts[words[0] + "-" + words[1], default: []].append(words[2])
        } else if name.hasPrefix("tally ") {
          tallies.append(name)
        } else {
          others.append(name)
        }
      }
      guard others == (old + Items.names("mine", 20)).sorted() else { return "rows that were there before are not" }
      let whole = (0..<3).map { form == .heavy ? "\($0) " + String(repeating: "x", count: 120_000) : "\($0)" }
      if let torn = parts.first(where: { $0.value.sorted() != whole }) {
        return "of the commit \(torn.key) there are \(torn.value.map { $0.prefix(9) }.sorted())"
      }
      let counted = [0, 1].compactMap { writer in
        let commits = parts.keys.count { $0.hasPrefix("\(writer)-") }
        return commits > 0 ? "tally \(writer) \(commits)" : nil
      }
      guard tallies.sorted() == counted else { return "the commits that are there are \(counted), and say they were \(tallies)" }
      let lost = said.subtracting(parts.keys)
      guard lost.isEmpty else { return "commits that were said are not there: \(lost.sorted())" }
      let more = Set(parts.keys).subtracting(said)
      return ["0-", "1-"].contains { writer in more.filter { $0.hasPrefix(writer) }.count > 1 } ? "commits nobody spoke of: \(more)" : nil
    }

    func complaint(afterAnotherGoIn root: String) throws -> String? {
      // The rows of before would be there twice.
      try Items.run(URL(fileURLWithPath: root + "/" + Self.store), "DELETE FROM item WHERE name LIKE '_-%' OR name LIKE 'tally %'")
      let end = try start(in: root, shim: nil).wait()
      return end.status == 0 ? breakage(in: root, after: end) : "the next writer fails: \(end.output)"
    }
  }
#endif
