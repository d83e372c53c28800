import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.3 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordSavingRowTests: MoversTest {
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
    // Each write sees what the writes before it have stored.
    let people = people
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await factory.write { session in
            let people = session.runtimeDAO(Person.self)
            var person = try people.find(1)
            person.age += 1
            try people.update(person)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await people.find(1).age == 51)
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
