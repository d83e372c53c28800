#if os(Linux)
  import Foundation
  import Testing

  extension AllOrNothing {
    /// Lets calls find the disk full: a typed error, and all as it was; or the call did not matter, and it is done.
    /// - Parameters:
    ///   - words: one of them is what the error says.
    ///   - least: how many of the calls matter at least.
    ///   - mayBeDone: whether it may be done in spite of the error, which then is that it can't be made to last.
    ///   - mayAdd: names of files that the error may leave where there were none.
    func fillDisk(saying words: [String], least: Int, mayBeDone: Bool = false, mayAdd: (String) -> Bool) async throws {
      var failures = 0
      for call in Chaos.some(of: try calls(), quick: 16) {
        await Task.yield()
        let root = try makeRoot()
        let before = Set(snapshot(root).keys)
        let end = try start(in: root, shim: ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": "\(ENOSPC)"]).wait()
        let comment = "\(title), call \(call): \(end.output)"
        #expect(!end.wasKilled, "\(comment)")
        let found = find(in: root)
        guard end.status != 0 else {
          #expect(found == .after, "\(comment)")
          continue
        }
        #expect(end.status == 1 << 8, "\(comment)")
        failures += 1
        #expect(found == .before || mayBeDone && found == .after, "\(comment)")
        #expect(words.contains { end.output.contains($0) }, "\(comment)")
        let added = Set(snapshot(root).keys).subtracting(before).filter { !mayAdd($0) }
        #expect(added.isEmpty, "\(comment): \(added.sorted())")
        try FileManager.default.removeItem(atPath: root)
      }
      #expect(failures >= least)
      Chaos.tell("faults", title, failures)
    }
  }
#endif
