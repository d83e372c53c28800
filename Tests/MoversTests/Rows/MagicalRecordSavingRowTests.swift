import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.3 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }, .timeLimit(.minutes(60))) struct MagicalRecordSavingRowTests: MoversTest {
  private struct Stop: Error {}

  let world: World

  init() throws { world = try World() }

  @Test func `1A.3 saveWithOptions:completion:`() throws {
    guard case .nothingToDo = try work.commit() else {
      Issue.record("there was nothing to commit")
      return
    }
    try edited.insert(newPerson)
    let dialog = work.child()
    guard case .nothingToDo = try dialog.commit() else {
      Issue.record("the child had nothing to commit")
      return
    }
    // The parent is as it was.
    #expect(try work.changes.rows.count == 1 && people.count() == 5)
    guard case .committed(let changes) = try work.commit() else {
      Issue.record("the unit was not committed")
      return
    }
    #expect(try changes.rows.count == 1 && people.count() == 6)
    try edited.insert(newPerson)
    #expect(throws: DAOError.self) { try work.commit() }
  }

  @Test func `1A.3 saveOnlySelf…, saveToPersistentStore…`() throws {
    let dialog = work.child()
    try dialog.runtimeDAO(Person.self).delete(4)
    #expect(try dialog.commit().changes.rows.count == 1)
    #expect(try people.exists(4))
    #expect(try work.commit().changes.rows.count == 1)
    #expect(try !people.exists(4))
  }

  @Test func `1A.3 saveWithBlock: (+ completion:)`() async throws {
    let count = try await factory.write { session in
      try session.runtimeDAO(Person.self).delete(4)
      return try session.runtimeDAO(Person.self).count()
    }
    #expect(count == 4)
    await #expect(throws: Stop.self) {
      try await factory.write { session in
        try session.runtimeDAO(Person.self).delete(5)
        throw Stop()
      }
    }
    #expect(try await people.count() == 4)
    try await expectOrder(in: syncly { try fileFactory() })
  }

  /// Holds the writer while numbered writes begin to wait, each after the one before it, and compares the order in which they run.
  private func expectOrder(in factory: DAOFactory) async throws {
    let engine = try #require((factory.store as? EngineStore)?.engine as? SQLiteEngine)
    let (gate, begun, ran) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream(), Printed())
    let holder = Task {
      try await factory.write { session in
        begun.continuation.finish()
        gate.wait()
        try session.runtimeDAO(Person.self).update(.where { $0.id == 1 }, set: .set(\.age, to: 0))
      }
    }
    for await _ in begun.stream {}
    var writes: [Task<Void, any Error>] = []
    for number in 1...20 {
      writes.append(
        Task {
          try await factory.write { session in
            let people = session.runtimeDAO(Person.self)
            var person = try people.find(1)
            ran.append("\(number) after \(person.age)")
            person.age = number
            try people.update(person)
          }
        })
      while engine.load.waiting < number { await Task.yield() }
    }
    gate.signal()
    try await holder.value
    for write in writes { try await write.value }
    #expect(ran.texts == (1...20).map { "\($0) after \($0 - 1)" })
  }

  @Test func `1A.3 saveWithBlockAndWait:`() throws {
    let count = try factory.write { session in
      try session.runtimeDAO(Person.self).delete(4)
      #expect(throws: Stop.self) {
        try session.write { inner in
          try inner.runtimeDAO(Person.self).delete(5)
          throw Stop()
        }
      }
      // A call of the factory would wait for this closure.
      #expect(throws: DAOError.self) { try people.delete(3) }
      return try session.runtimeDAO(Person.self).count()
    }
    #expect(count == 4)
    #expect(try people.count() == 4)
  }

  @Test func `1A.3 Chain save`() throws {
    try work.group {
      try edited.delete(4)
      try edited.delete(5)
    }
    #expect(throws: Stop.self) {
      try work.group {
        try edited.delete(3)
        throw Stop()
      }
    }
    #expect(try edited.count() == 3)
    try work.undo()
    #expect(try edited.count() == 5)
  }

  @Test func `1A.3 Block that throws`() throws {
    #expect(throws: Stop.self) {
      try factory.write { session in
        try session.runtimeDAO(Person.self).delete(.all, allowUnfiltered: true)
        throw Stop()
      }
    }
    #expect(try people.count() == 5)
  }
}
