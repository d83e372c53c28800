#if os(Linux)
  import Foundation
  import Testing

  extension Interruptible {
    /// Ends a process at the calls that change files: before one, after it, or after half of what it writes.
    /// - Parameters:
    ///   - quick: at how many of them, chosen by chance, unless more are wanted.
    ///   - full: at how many of them then; nil for all.
    ///   - least: how many there are at least; fewer would mean that calls are not seen.
    func killAtCalls(quick: Int, full: Int? = nil, least: Int) async throws {
      var kills = 0
      for way in ["before", "after", "half"] {
        // Of what is no write there is no half.
        let counted = way == "half" ? writes : [:]
        let calls = try calls(counted)
        #expect(way == "half" || calls >= least)
        for call in Chaos.some(of: calls, quick: quick, full: full) {
          let root = try makeRoot()
          let end = try start(in: root, shim: counted.merging(["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": way]) { $1 }).wait()
          let comment = "\(title), killed \(way) call \(call) of \(calls)"
          // Some of the last may not be met.
          let isMissed = isVaried && call > calls / 2 && end.status == 0
          #expect(end.wasKilled || isMissed, "\(comment): \(end.status) \(end.output.suffix(300))")
          kills += end.wasKilled ? 1 : 0
          try await check(root, end, comment)
        }
      }
      Chaos.tell("kills at a call", title, kills)
    }

    /// Ends a process at moments chosen by chance, so many of them between its first word and its last.
    /// - Parameter pause: for how many microseconds it stops before each call, so that there is time between calls.
    func killAtMoments(_ wanted: Int, pause: Int = 1000) async throws {
      let slow = ["DAO_SHIM_SLEEP": "\(pause)"]
      let timed = try start(in: makeRoot(), shim: slow)
      #expect(timed.waitForLine() == "begin\n")
      var undisturbed: Child.End?
      let length = ContinuousClock().measure { undisturbed = timed.wait() }
      #expect(undisturbed?.status == 0)
      var (inside, attempts) = (0, 0)
      while inside < wanted, attempts < wanted * 6 {
        attempts += 1
        let root = try makeRoot()
        let probe = try start(in: root, shim: slow)
        #expect(probe.waitForLine() == "begin\n")
        usleep(UInt32.random(in: 0...UInt32(length / .microseconds(1))))
        kill(probe.process, SIGKILL)
        let end = probe.wait()
        #expect(end.wasKilled || end.status == 0, "\(title): \(end.status) \(end.output.suffix(300))")
        if end.wasKilled, !end.output.contains("end") { inside += 1 }
        try await check(root, end, "\(title), killed at random")
      }
      #expect(inside == wanted)
      Chaos.tell("kills at a moment", title, inside)
    }

    private func check(_ root: String, _ end: Child.End, _ comment: String) async throws {
      // Other tests want to run too.
      await Task.yield()
      if let breakage = breakage(in: root, after: end) { Issue.record("\(comment): \(breakage)") }
      if let complaint = try complaint(afterAnotherGoIn: root) { Issue.record("\(comment): \(complaint)") }
      try FileManager.default.removeItem(atPath: root)
    }
  }
#endif
