import DAOKit
import Foundation

/// The factory that one-liners such as `try Person.findAll()` run over.
///
/// ```swift
/// try ActiveRecord.use(factory)                 // once, where the app starts
/// try Person.create(Person(firstName: "Ida"))
/// try Person.findAll(sortedBy: "lastName,firstName:desc")
/// ```
public enum ActiveRecord {
  // A task's own for tests, which run side by side in one process.
  @TaskLocal package static var standard = DefaultFactory()

  /// Sets the default factory of the process.
  /// - Throws: ``DAOError/misuse(_:use:)`` where there is one: half of the program would have used it.
  public static func use(_ factory: DAOFactory) throws { try standard.set(factory) }

  /// Forgets the default factory, for an app that closes its store and opens another. The store is not closed.
  public static func forget() { standard.forget() }

  /// The factory of the task, else the default.
  /// - Throws: ``DAOError/misuse(_:use:)`` where there is none.
  public static var factory: DAOFactory { get throws { try CarriedFactory.current as? DAOFactory ?? standard.get() } }

  /// Runs a body whose one-liners have a factory of their own, as do those of the tasks that it starts and of the closures that its calls
  /// take. Detached tasks and threads of your own have the default.
  @discardableResult
  public static func withFactory<Result>(_ factory: DAOFactory, _ body: () throws -> Result) rethrows -> Result {
    try CarriedFactory.$current.withValue(factory, operation: body)
  }

  /// Runs a body whose one-liners have a factory of their own, as do those of the tasks that it starts and of the closures that its calls
  /// take. Detached tasks and threads of your own have the default.
  @discardableResult
  public static func withFactory<Result>(
    _ factory: DAOFactory, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await CarriedFactory.$current.withValue(factory, operation: body, isolation: isolation)
  }
}
