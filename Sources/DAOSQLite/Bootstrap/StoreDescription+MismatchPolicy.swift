import DAOSQL

extension StoreDescription {
  /// What is done with a store whose schema does not fit the entities, where no ``Migration`` is given or the one that is refuses the
  /// store.
  ///
  /// An erased store is not lost: it stays whole beside the new one, as `<store>.erased-` with the time in milliseconds, is named in every
  /// report, and goes when the app says ``BootstrapReport/removeErased()``. The new one is made from the seed or, without one, from the
  /// entities. A store that is open elsewhere, damaged, of a later version or another application's is never erased.
  public enum MismatchPolicy: Sendable, Hashable {
    /// The mismatch is an error, with every difference.
    case fail
    /// The store is erased where DAOKit was built for debugging. In a release build the mismatch is an error, as with ``fail``.
    case erase
    /// The store is erased in release builds too: people's rows are put aside.
    case eraseInRelease

    func erases(isDebugBuild: Bool) -> Bool {
      switch self {
      case .fail: false
      case .erase: isDebugBuild
      case .eraseInRelease: true
      }
    }
  }
}
