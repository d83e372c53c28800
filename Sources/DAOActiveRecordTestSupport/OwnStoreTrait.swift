import DAOActiveRecord
import DAOKit
import Testing

/// Gives each test, and each of its cases, a store of its own, over which its one-liners run; see ``Testing/Trait/ownStore(_:)``.
public struct OwnStoreTrait: TestTrait, SuiteTrait, TestScoping {
  private let makeFactory: @Sendable () throws -> DAOFactory

  init(_ makeFactory: @escaping @Sendable () throws -> DAOFactory) { self.makeFactory = makeFactory }

  /// Each test of a suite has a store of its own.
  public var isRecursive: Bool { true }

  /// Runs a test with a factory of its own as ``DAOActiveRecord/ActiveRecord/factory``.
  public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    try await ActiveRecord.withFactory(try makeFactory()) { try await function() }
  }
}

extension Trait where Self == OwnStoreTrait {
  /// Gives each test a store in memory with these entities, and its one-liners the store's factory:
  ///
  /// ```swift
  /// @Test(.ownStore(Person.self)) func bergs() throws {
  ///   try Person.create(Person(lastName: "Berg"))
  ///   #expect(try ActiveRecord.factory.runtimeDAO(Person.self).count() == 1)
  /// }
  /// ```
  ///
  /// On a suite it holds for each of its tests.
  public static func ownStore(_ entities: any Entity.Type...) -> OwnStoreTrait {
    OwnStoreTrait { try DAOFactory(store: .inMemory(), entities: entities) }
  }

  /// Gives each test the factory that a closure makes, which throws where there can be no store.
  public static func ownStore(_ makeFactory: @escaping @Sendable () throws -> DAOFactory) -> OwnStoreTrait { OwnStoreTrait(makeFactory) }
}
