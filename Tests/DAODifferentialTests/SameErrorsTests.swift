import DAOKit
import Foundation
import Testing

/// Calls that fail, on the evaluator and on SQLite: the same error, word for word.
struct SameErrorsTests {
  /// What each call throws, or returns.
  private func transcript(_ factory: DAOFactory) throws -> [String] {
    var transcript: [String] = []
    func note(_ body: () throws -> Any) {
      do { transcript.append("\(try body())") } catch DAOError.engine(let failure) { transcript.append("engine: \(failure.message)") } catch
      {
        transcript.append("\(error)")
      }
    }
    let notes = factory.runtimeDAO(Note.self)
    let scoped = factory.dao(Scoped.init)
    try notes.insert([Note("a"), Note("b", body: "x", priority: 2)])

    // Criteria.
    let wrong: SearchCriteria<Note> = .where(.field("titel") == "a" && (.like(\.priority, "x") || .field("title") == 2))
      .order(by: .ascending(.field("nam"))).limit(-1, offset: -1)
    note { try notes.findAll(wrong) }
    note { try notes.findAllIDs(wrong) }
    note { try notes.count(wrong) }
    note { try notes.exists(wrong) }
    note { try notes.delete(wrong) }
    note { try notes.update(wrong, set: .set("none", to: 1), .set("id", to: 1), .set("title", to: .null)) }
    note { try notes.update(.where(\.id == 1), set: []) }
    note { try notes.withCursor(wrong) { try $0.next() as Any } }
    note { try notes.dictionaries(.all.project(.field("none"), .aggregate(.max, "title"))) }
    note { try notes.dictionaries(.all) }
    note { try notes.findAll(.all.project(.count)) }
    note { try notes.dictionaries(.all.project(.group(by: "title"), .field("body")).having { $0.priority > 1 }) }
    note { try notes.findAll(.where(.like(\.title, String(repeating: "a", count: 20_001)))) }
    note { try notes.page(size: 0) }
    note { try scoped.findAll() }
    note { try scoped.find(1) }
    note { try scoped.exists(1) }
    note { try scoped.find(9) }
    note { try scoped.find([9, 10]) }
    note { try scoped.insert(Note("seen by nobody")) }
    note { try scoped.update(Note(id: 1, "a")) }
    note { try scoped.delete(1) as Bool }
    note { try scoped.upsert(Note(id: 1, "a")) }

    // Rows.
    note { try notes.find(9) }
    note { try notes.refresh(Note("new")) }
    note { try notes.update([Note(id: 1, "a"), Note(id: 9, "c")]) }
    note { try notes.delete(Note(id: 9, "c")) }
    note { try notes.insert(Note("b")) }
    note { try notes.insert([Note("c"), Note(id: 1, "d")]) }
    note { try notes.upsert([Note("c"), Note("a"), Note("b")], on: ["title"]) }
    note { try notes.upsert(Note("c"), on: ["titel"], updating: ["id", "bodi"]) }
    note { try notes.upsert(Note("c"), on: []) }
    note { try notes.update(.where(\.title == "b"), set: .set(\.title, to: "a")) }
    note { try notes.update(.where(\.title == "a"), set: .set(\.title, to: .lower(\.body))) }
    note { try notes.delete(.all) }
    let dynamic = try factory.runtimeDAO("note")
    note { try dynamic.insert(dynamic.make(["title": "c"])) }
    note { try dynamic.insert(dynamic.make(["title": 1, "tenant": 1, "priority": 1])) }
    note { try dynamic.make(["titel": 1]) }
    note { try dynamic.find([1, 2]) }
    note { try dynamic.find("x") }
    note { try dynamic.find([[1], [.null]]) }
    note { try factory.runtimeDAO("not") }
    note { try notes.project(.max(\.body), .count).map { "\($0)" } }
    note { try notes.project(.field(\.title), matching: .where(\.body == nil)).map { "\($0)" } }
    note { try notes.project(SearchCriteria<Note>().project(.field(\.body)).order(by: \.id)) { try $0.next(String.self) } }

    // Places.
    var kept: RuntimeDAO<Note>?
    note { try factory.read { kept = $0.runtimeDAO(Note.self) } }
    note { try kept?.count() as Any }
    note { try kept?.insert(Note("late")) as Any }
    note { try factory.read { try $0.runtimeDAO(Note.self).insert(Note("c")) } }
    note { try factory.read { try $0.runtimeDAO(Note.self).insert([]) } }
    note { try factory.read { session in try session.write { _ in 1 } } }
    note { try factory.read { _ in try notes.count() } }
    note { try factory.write { _ in try notes.insert(Note("c")) } }
    note { try factory.write { _ in try factory.write { _ in 1 } } }
    note { try factory.write { _ in try factory.read { _ in 1 } } }
    note { try factory.write { _ in try factory.runtimeDAO("note").count() } }
    note { try notes.withCursor { _ in try notes.count() } }
    note { try notes.project(SearchCriteria<Note>().project(.field(\.title))) { _ in try notes.count() } }
    note { try factory.write { session in elsewhere { try session.runtimeDAO(Note.self).count() } } }
    note {
      try factory.write { session in
        let cursor = try session.runtimeDAO(Note.self).withCursor { $0 }
        return try cursor.next() as Any
      }
    }
    note { try notes.findAll(.all.order(by: \.id)) }
    return transcript
  }

  /// The same for calls with `await`.
  private func awaited(_ factory: DAOFactory) async throws -> [String] {
    let kept = Kept()
    try await factory.write { kept.dao = $0.runtimeDAO(Note.self) }
    let dao = try #require(kept.dao)
    var transcript: [String] = []
    do { transcript.append("\(try await dao.count())") } catch { transcript.append("\(error)") }
    do { for try await note in dao.stream() { transcript.append(note.title) } } catch { transcript.append("\(error)") }
    do { for try await note in factory.dao(Scoped.init).stream() { transcript.append(note.title) } } catch { transcript.append("\(error)") }
    return transcript
  }

  /// A DAO whose scope does not fit.
  private final class Scoped: DAO<Note>, @unchecked Sendable {
    override var scope: Filter<Note> { .field("tenent") == 1 || .like(\.priority, "x") }
  }

  private final class Kept: @unchecked Sendable {
    // Written, then read.
    var dao: RuntimeDAO<Note>?
  }

  /// What a body does on another thread.
  private func elsewhere(_ body: () throws -> Any) -> String {
    withoutActuallyEscaping(body) { body in
      let call = Call(body)
      let thread = Thread { call.run() }
      thread.start()
      call.done.wait()
      return call.result
    }
  }

  private final class Call: @unchecked Sendable {
    // Run on the other thread, read when that has finished.
    private var body: (() throws -> Any)?
    private(set) var result = ""
    let done = DispatchSemaphore(value: 0)
    init(_ body: @escaping () throws -> Any) { self.body = body }
    func run() {
      do { result = "\(try body?() as Any)" } catch { result = "\(error)" }
      body = nil
      done.signal()
    }
  }

  @Test func `calls that fail throw the same error on both stores`() async throws {
    let (first, second) = (
      try DAOFactory(store: .evaluator, entities: Note.self), try DAOFactory(store: .inMemory(), entities: Note.self)
    )
    let evaluator = try await transcript(first) + awaited(first)
    let sqlite = try await transcript(second) + awaited(second)
    for (index, (a, b)) in zip(evaluator, sqlite).enumerated() { #expect(a == b, "call \(index)") }
    #expect(evaluator.count == sqlite.count)
    #expect(evaluator[0].contains("did you mean 'title'?") && evaluator[0].contains("limit: is -1"))
    #expect(Set(evaluator).count > 35, "most calls fail in a way of their own")
  }

  @Test func `a task that is cancelled before its turn does nothing`() async throws {
    let notes = try DAOFactory(store: .evaluator, entities: Note.self).runtimeDAO(Note.self)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await notes.insert(Note("a"))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await notes.count() == 0)
  }

  @Test func `threads take turns`() async throws {
    let factory = try DAOFactory(store: .evaluator, entities: Note.self)
    try await factory.runtimeDAO(Note.self).insert(Note("a"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await factory.write { session in
            let notes = session.runtimeDAO(Note.self)
            var note = try notes.find(1)
            note.priority += 1
            Thread.sleep(forTimeInterval: 0.001)
            try notes.update(note)
          }
        }
        group.addTask { _ = try await factory.runtimeDAO(Note.self).findAll() }
      }
      try await group.waitForAll()
    }
    #expect(try await factory.runtimeDAO(Note.self).find(1).priority == 50)
  }
}
