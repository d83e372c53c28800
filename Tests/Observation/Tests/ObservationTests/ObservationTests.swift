import DAOKit
import Foundation
import InMemoryTracing
import Metrics
import MetricsTestKit
import Testing
import Tracing

/// Metrics and spans of a store, where the package's traits are on.
@Suite(.serialized) struct ObservationTests {
  // The systems of a process are set up once.
  private static let systems: (metrics: TestMetrics, tracer: InMemoryTracer) = {
    let (metrics, tracer) = (TestMetrics(), InMemoryTracer())
    MetricsSystem.bootstrap(metrics)
    InstrumentationSystem.bootstrap(tracer)
    return (metrics, tracer)
  }()

  private let note = EntityDescription(
    "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text)],
    indexes: [Index(on: "text", unique: true)])
  // Another store for each test: counters are the process's.
  private let name = "notes-\(UUID().uuidString).sqlite"
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ObservationTests-\(UUID().uuidString)")

  private func withFactory(_ body: (DAOFactory, RuntimeDAO<DynamicEntity>) async throws -> Void) async throws {
    _ = Self.systems
    defer { try? FileManager.default.removeItem(at: folder) }
    let factory = try DAOFactory(store: .file(folder.appendingPathComponent(name)), describedBy: [note])
    try await body(factory, factory.runtimeDAO(note))
  }

  private func row(_ text: String) throws -> DynamicEntity { try DynamicEntity(note, ["text": .text(text)]) }

  @Test func `Statements, rows, transactions and failures are counted`() async throws {
    try await withFactory { factory, notes in
      let (metrics, store) = (Self.systems.metrics, [("store", name)])
      let opening = metrics.counterTotal(label: "dao_rows", dimensions: store)
      try await notes.insert([row("a"), row("b")])
      for _ in 0..<3 { #expect(try await notes.findAll().count == 2) }
      await #expect(throws: DAOError.self) { try await notes.insert([row("c"), row("a")]) }
      #expect(metrics.counterTotal(label: "dao_commits", dimensions: store) == 1)
      #expect(metrics.counterTotal(label: "dao_rollbacks", dimensions: store) == 1)
      #expect(metrics.counterTotal(label: "dao_failures", dimensions: store) == 1)
      #expect(metrics.counterTotal(label: "dao_rows", dimensions: store) - opening == 2 + 3 * 2 + 1)
      let timer = try metrics.expectTimer("dao_statement_duration", store)
      let kept = metrics.counterTotal(label: "dao_statements", dimensions: store + [("kept", "true")])
      let compiled = metrics.counterTotal(label: "dao_statements", dimensions: store + [("kept", "false")])
      #expect(kept >= 2 && compiled >= 2 && timer.values.count == Int(kept + compiled))
      #expect(timer.values.allSatisfy { $0 > 0 && $0 < 60_000_000_000 })
    }
  }

  @Test func `The gauges show who has a connection and who waits, and nobody when all is over`() async throws {
    try await withFactory { factory, notes in
      let (metrics, store, note) = (Self.systems.metrics, [("store", name)], note)
      func shows(_ connectionsInUse: Double, _ waiting: Double) async throws -> Bool {
        for _ in 0..<1_000 {
          let values = ["dao_connections_in_use", "dao_calls_waiting"].map { try? metrics.expectGauge($0, store).lastValue }
          if values == [connectionsInUse, waiting] { return true }
          try await Task.sleep(for: .milliseconds(10))
        }
        return false
      }
      let rows = try (0..<3).map { try row("\($0)") }
      _ = try await notes.count()
      #expect(try await shows(0, 0))
      let (isWriting, end) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
      async let held: Void = factory.write { session in
        _ = try session.runtimeDAO(note).count()
        isWriting.continuation.finish()
        // No statement runs meanwhile.
        end.wait()
      }
      for await _ in isWriting.stream {}
      #expect(try await shows(1, 0))
      async let inserted: Void = withThrowingTaskGroup(of: Void.self) { group in
        for row in rows { group.addTask { try await notes.insert(row) } }
        try await group.waitForAll()
      }
      #expect(try await shows(1, 3))
      end.signal()
      try await (held, inserted)
      #expect(try await shows(0, 0))
    }
    // A store that closes while it is used leaves no value either.
    let gauge = try Self.systems.metrics.expectGauge("dao_connections_in_use", [("store", name)])
    #expect(gauge.lastValue == 0 && gauge.values.contains(1))
  }

  @Test func `Each attempt to get another process's lock is counted`() async throws {
    try await withFactory { factory, notes in
      let (metrics, name) = (Self.systems.metrics, name)
      let other = try DAOFactory(store: .file(folder.appendingPathComponent(name)), describedBy: [note])
      let writing = AsyncStream<Void>.makeStream()
      let retries = { @Sendable in metrics.counterTotal(label: "dao_lock_retries", dimensions: [("store", name)]) }
      async let held: Void = other.write { _ in
        writing.continuation.finish()
        // Less than the five seconds after which the other gives up.
        for _ in 0..<4_000 where retries() == 0 { usleep(1_000) }
      }
      for await _ in writing.stream {}
      try await notes.insert(row("a"))
      try await held
      #expect(retries() > 0)
    }
  }

  @Test func `Each statement is a span below the one of its call, with await too`() async throws {
    try await withFactory { factory, notes in
      let tracer = Self.systems.tracer
      let (row, other) = (try row("secret"), try row("other"))
      tracer.clearFinishedSpans()
      try await withSpan("request") { request in
        let parent = request.context.inMemorySpanContext?.spanID
        try await notes.insert(row)
        _ = try await factory.read { session in try session.runtimeDAO(note).findAll() }
        let insert = try #require(tracer.finishedSpans.first { $0.operationName == "INSERT" })
        let select = try #require(tracer.finishedSpans.first { $0.operationName == "SELECT" })
        #expect(insert.parentSpanID == parent && select.parentSpanID == parent && parent != nil)
        #expect(insert.kind == .client)
        #expect(select.attributes.get("db.system.name") == .string("sqlite"))
        #expect(select.attributes.get("db.namespace") == .string(name))
        #expect(select.attributes.get("db.query.text") == .string(#"SELECT "id", "text" FROM "note""#))
        #expect(select.attributes.get("db.response.returned_rows") == .int64(1))
        #expect(select.startInstant.nanosecondsSinceEpoch <= select.endInstant.nanosecondsSinceEpoch)
        #expect(insert.startInstant.nanosecondsSinceEpoch >= request.startInstant.nanosecondsSinceEpoch - 1_000_000)
        #expect(!"\(tracer.finishedSpans)".contains("secret"))
      }
      tracer.clearFinishedSpans()
      try await withSpan("edits") { edits in
        let work = try factory.unitOfWork()
        try await work.runtimeDAO(note).insert(other)
        try await work.commit()
        let parents = tracer.finishedSpans.map(\.parentSpanID)
        #expect(parents.count > 2 && parents.allSatisfy { $0 == edits.context.inMemorySpanContext?.spanID }, "\(parents)")
      }
      tracer.clearFinishedSpans()
      _ = try await notes.count()
      #expect(tracer.finishedSpans.first?.parentSpanID == nil)
    }
  }

  @Test func `The span of a statement that failed has its error, without values`() async throws {
    try await withFactory { factory, notes in
      let tracer = Self.systems.tracer
      let row = try row("secret")
      try await notes.insert(row)
      tracer.clearFinishedSpans()
      await #expect(throws: DAOError.self) { try await notes.insert(row) }
      _ = try await notes.count()
      let spans = tracer.finishedSpans
      let failed = try #require(spans.first { $0.operationName == "INSERT" })
      #expect(failed.status?.code == .error && failed.errors.count == 1)
      #expect(failed.attributes.get("error.type") == .string("2067"))
      #expect(failed.attributes.get("db.response.status_code") == .string("2067"))
      let others = spans.filter { $0.operationName != "INSERT" }
      #expect(!others.isEmpty && others.allSatisfy { $0.status == nil && $0.errors.isEmpty })
      #expect(!"\(spans)".contains("secret"))
    }
  }
}

extension Span {
  fileprivate var startInstant: any TracerInstant { (self as? InMemorySpan)?.startInstant ?? DefaultTracerClock.now }
}
