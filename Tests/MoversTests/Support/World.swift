import DAOActiveRecord
import DAOImport
import DAOMacros
import Foundation

/// A fresh store with sample rows, and a folder that is removed with the world.
final class World: Sendable {
  /// The folder of the world's files.
  let folder: URL
  /// The factory of the sample rows, which is the one of the test's one-liners too.
  let factory: DAOFactory
  /// A unit of work of that factory.
  let work: UnitOfWork
  /// What the code of the test has printed.
  let printed = Printed()

  /// Makes the values of a test whose suite has the trait `.ownStore { try World.makeFactory() }`.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-movers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    factory = try ActiveRecord.factory
    work = try factory.unitOfWork()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Makes a factory over the sample rows, in memory.
  static func makeFactory() throws -> DAOFactory { try filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self)) }

  /// Inserts the sample rows.
  static func filled(_ factory: DAOFactory) throws -> DAOFactory {
    try factory.runtimeDAO(Company.self).insert(Company.samples)
    try factory.runtimeDAO(Person.self).insert(Person.samples)
    return factory
  }
}
