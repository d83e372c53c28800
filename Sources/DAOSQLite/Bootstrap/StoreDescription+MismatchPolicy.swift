import DAOSQL

extension StoreDescription {
  /// The treatment of a store whose schema does not match the entities, if no ``Migration`` is given or the given one refuses the store.
  ///
  /// An erased store is not lost: it stays whole beside the new one, as `<store>.erased-` with the time in milliseconds, is named in every
  /// report, and is removed when the app calls ``BootstrapReport/removeErased()``. The new one is made from the seed or, without one, from
  /// the entities. A store that is open elsewhere, damaged, of a later version or another application's is never erased.
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
