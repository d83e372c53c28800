import DAOCriteria

extension StoreBootstrapper {
  /// Checks a seed that is to be used where it lies, in a read-only folder, as `file:…?immutable=1`: nothing is ever written beside it.
  /// - Throws: as ``bootstrap(_:policy:)``; ``DAOError/BootstrapProblem/Kind/walMode`` for a seed in WAL mode.
  public func useInPlace() throws -> BootstrapReport {
    let start = ContinuousClock.now
    guard let path = try source.path() else { throw DAOError.misuse("there is no seed to use where it lies", use: "SeedSource.file") }
    let seed = try Seed(path, requiresManifest: source.requiresManifest)
    guard !seed.header.isWAL else {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.walMode, path: path, "a seed in WAL mode can't be used where it lies; ship what VACUUM INTO writes"))
    }
    guard seed.sidecars.allSatisfy({ $0.size == 0 }) else {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .corrupt, path: path, "a writer was interrupted and left a -journal; the seed can't be used where it lies"))
    }
    try seed.manifest?.check(seed.file, of: path)
    let state = try SQLiteFile.open(path, .readUnchanging, maximumLength: maximumLength) { db in
      let state = try StoreState(reading: db)
      try requirements.check(state, path: path)
      try requirements.checkSchema(of: db, path: path)
      return state
    }
    return BootstrapReport(inPlace: seed, state, since: start)
  }
}
