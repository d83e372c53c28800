import Foundation

/// The store that the tables call “people”, which is the same file for all tests.
enum NamedStore {
  static let lock = NSLock()
}
