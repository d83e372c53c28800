import DAOCriteria
import Foundation

/// The seed that a store is of, kept beside it as the base of the next upgrade.
///
/// All is done under the lock. A stamp in the store names the valid base: a base exists before the store is of its seed, and is removed
/// when the store is of another.
struct UpgradeBase {
  let paths: StorePaths
  let maker: StoreMaker

  /// The base that a stamp names; nil where there is none.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/missingBase`` where it is damaged. A changed row of the base must not decide anything.
  func find(_ stamp: SeedStamp) throws -> String? {
    let bases = try paths.bases(of: stamp)
    guard let first = bases.first else { return nil }
    if let whole = try bases.first(where: paths.isWhole(base:)) { return whole }
    throw DAOError.bootstrap(
      DAOError.BootstrapProblem(
        .missingBase, path: first,
        "the copy of the store's last seed is damaged: its bytes are not those that were kept, and it is not known which rows the user "
          + "changed. Without it, .upgrade(conflicts:adopting: true) takes the store as it is, and the next seed can be merged"))
  }

  /// The error for a store whose base is not known.
  func missing(_ stamp: SeedStamp?) -> DAOError {
    let made = stamp.map { "made from \($0.name), version \($0.version), which was not kept" } ?? "not made from a seed"
    return .bootstrap(
      DAOError.BootstrapProblem(
        .missingBase, path: paths.store,
        "the store was \(made), so that it is not known which rows the user changed; .upgrade(conflicts:adopting: true) takes it as it is, "
          + "and the next seed can be merged"))
  }

  /// Keeps the shipped seed, which is the store's own, as its base, if the base is missing, and removes leftover bases.
  ///
  /// The store is whole without it, and must open despite a full disk or a read-only folder: the next start tries again.
  func keep(_ seed: Seed, _ state: StoreState) throws {
    guard let stamp = state.stamp else { return }
    do {
      let bases = try paths.bases(of: stamp)
      // The bytes are read where it matters: in an upgrade, and where one of several stays.
      let held = bases.count > 1 ? try bases.first(where: paths.isWhole(base:)) : bases.first
      let base = try held ?? maker.make(seed, paths) { _, _ in try paths.keepAsBase(paths.incoming, stamp) }
      try paths.clearBases(besides: base)
    } catch DAOError.bootstrap(let problem) where [.diskFull, .unwritable].contains(problem.kind) {}
  }

  /// Gives the incoming store its name. Where its seed is kept for a later merge, the base is stored permanently before the store.
  /// - Parameter put: gives the name.
  func placeIncoming(_ state: StoreState, keepingSeed: Bool, _ put: () throws -> Void) throws {
    guard keepingSeed, let stamp = state.stamp else { return try put() }
    try OpenFile(paths.incoming, O_RDONLY).copy(to: paths.outgoing, permissions: Files.status(paths.store)?.permissions) { _ in }
    try Files.sync(paths.outgoing)
    let base = try paths.keepAsBase(paths.outgoing, stamp)
    do { try put() } catch {
      _ = try? Files.remove(base)
      throw error
    }
    // It is done; what can't be removed now is for the next start.
    try? paths.clearBases(besides: base)
  }

  /// Changes the store while the shipped seed lies beside it as the next base, and removes the base that does not hold then.
  func change<Value>(to seed: Seed, _ body: (_ next: SeedStamp, _ base: String) throws -> Value) throws -> Value {
    let (base, value) = try maker.make(seed, paths) { state, _ in
      guard let next = state.stamp else { throw DAOError.misuse("a seed was prepared without a stamp", use: "another seed") }
      let base = try paths.keepAsBase(paths.incoming, next)
      do { return (base, try body(next, base)) } catch let failure as StoreTransaction.CommitFailure {
        // Whether the commit lasts is for the disk to say: the next start asks the store.
        throw failure.error
      } catch {
        _ = try? Files.remove(base)
        throw error
      }
    }
    // It is done; what can't be removed now is for the next start.
    try? paths.clearBases(besides: base)
    return value
  }
}
