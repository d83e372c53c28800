import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Contexts”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordContextsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_defaultContext`() throws {
    do {
      let people = factory.runtimeDAO(Person.self)
      #expect(try people.count() == 5)
    }
    try ActiveRecord.$standard.withValue(DefaultFactory()) {
      try ActiveRecord.use(factory)
      #expect(throws: DAOError.self) { try ActiveRecord.use(factory) }
    }
  }

  @Test func `MR_context`() throws {
    let work = try factory.unitOfWork()
    #expect(try !work.hasChanges)
  }

  @Test func `MR_contextWithParent:`() throws {
    let dialog = work.child()
    try dialog.runtimeDAO(Person.self).delete(4)
    #expect(try !work.hasChanges && dialog.hasChanges)
  }

  @Test func `MR_resetDefaultContext`() throws {
    try edited.delete(4)
    try work.rollback()
    #expect(try !work.hasChanges && edited.count() == 5)
  }

  @Test func `MR_deleteObjects:`() throws {
    #expect(try people.delete(ids) == 2)
  }

  @Test func `MR_setWorkingName:`() throws {
    try edited.delete(4)
    print(try work.changes)
    #expect(printed.count == 1)
  }

  @Test func `MR_observeContext:`() throws {
    let observer = try factory.onChange(of: Person.self) { change in print(change) }
    observer.cancel()
    try makeOlder()
    #expect(printed.isEmpty)
  }
}
