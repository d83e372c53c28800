#if os(Linux)
  import Foundation
  import Testing

  extension AllOrNothing {
    /// Runs once, and records it.
    func record() throws -> PowerLoss {
      let root = try makeRoot()
      let run = try PowerLoss(root) { try start(in: root, shim: $0) }
      #expect(find(in: root) == .after)
      return run
    }

    /// Replays the recorded calls up to each moment, with what was not synced lost.
    /// - Parameter least: how many different states that makes at least.
    func losePower(least: Int) async throws {
      let run = try record()
      var judge = Judge(self)
      for count in 0...run.calls.count {
        await Task.yield()
        for state in run.states(after: count, around: subject).union(run.mixedStates(after: count, around: subject)) {
          if let complaint = try judge.complaint(state, isOver: count == run.calls.count) {
            Issue.record("\(title), after \(count) calls: \(complaint)")
          }
        }
      }
      #expect(judge.judged >= least)
      Chaos.tell("power losses", title, judge.judged)
    }

    /// Each sync is there for a reason: without it, some moment of power loss breaks the promise.
    /// - Parameters:
    ///   - least: how many syncs there are at least.
    ///   - inPairs: whether one may do for another of the same file or folder that comes right before it or after it; without both, some
    ///     moment breaks the promise.
    func leaveOutSyncs(least: Int, inPairs: Bool = false) async throws {
      let run = try record()
      #expect(run.ownSyncs.count >= least)
      var judge = Judge(self)
      for sync in run.ownSyncs {
        await Task.yield()
        func isMissed(with other: Int? = nil) throws -> Bool {
          let syncs = Set([sync, other].compactMap { $0 })
          return try ((syncs.min() ?? sync) + 1...run.calls.count).reversed().contains { count in
            try run.states(after: count, without: syncs, around: subject).contains { state in
              try judge.complaint(state, isOver: count == run.calls.count) != nil
            }
          }
        }
        let alike = run.ownSyncs.filter { run.calls[$0].path == run.calls[sync].path }
        let others = inPairs ? [alike.last { $0 < sync }, alike.first { $0 > sync }].compactMap { $0 } : []
        let isNeeded = try isMissed() || others.contains { try isMissed(with: $0) }
        #expect(isNeeded, "\(title): the sync of \(run.calls[sync].path), call \(sync), is not needed")
      }
      Chaos.tell("syncs left out", title, run.ownSyncs.count)
    }
  }

  /// Says what is wrong with a state of the disk, and with what another go makes of it; remembers what it has judged.
  private struct Judge<Subject: AllOrNothing> {
    let subject: Subject
    private var verdicts: [PowerLoss.State: Verdict] = [:]

    private struct Verdict {
      let found: Found
      let remains: [String]
      let complaint: String?
    }

    init(_ subject: Subject) { self.subject = subject }

    var judged: Int { verdicts.count }

    /// Once it has said that it is done, that has to last.
    mutating func complaint(_ state: PowerLoss.State, isOver: Bool) throws -> String? {
      let verdict = try verdicts[state] ?? judge(state)
      verdicts[state] = verdict
      if isOver, verdict.found != .after { return "it did not last: \(verdict.found)" }
      if isOver, !verdict.remains.isEmpty { return "there are \(verdict.remains)" }
      return verdict.complaint
    }

    private func judge(_ state: PowerLoss.State) throws -> Verdict {
      let scratch = try Scratch()
      let root = scratch.path + "/root"
      try state.write(to: root)
      let (found, remains) = (subject.find(in: root), subject.remains(in: root))
      if case .broken(let why) = found { return Verdict(found: found, remains: remains, complaint: why) }
      return Verdict(found: found, remains: remains, complaint: try subject.complaint(afterAnotherGoIn: root))
    }
  }
#endif
