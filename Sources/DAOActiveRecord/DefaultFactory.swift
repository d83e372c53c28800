import DAOKit
import Foundation

/// The factory that a process has set, once.
package final class DefaultFactory: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var factory: DAOFactory?

  package init() {}

  func set(_ factory: DAOFactory) throws {
    try lock.withLock {
      guard self.factory == nil else {
        throw DAOError.misuse("a second default factory", use: "ActiveRecord.withFactory, or ActiveRecord.forget() before ActiveRecord.use")
      }
      self.factory = factory
    }
  }

  func get() throws -> DAOFactory {
    guard let factory = lock.withLock({ factory }) else {
      throw DAOError.misuse("there is no default factory", use: "try ActiveRecord.use(factory) where the app starts")
    }
    return factory
  }

  func forget() { lock.withLock { factory = nil } }
}
