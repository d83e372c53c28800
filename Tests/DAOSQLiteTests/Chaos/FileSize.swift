#if os(Linux)
  /// How much is in a scenario's files.
  enum FileSize {
    case usual
    /// More than SQLite holds in memory, and than is copied or saved in one piece: some 10 MB.
    case large

    /// How many rows there are, where there would be others.
    func rows(_ usual: Int) -> Int { self == .usual ? usual : 2400 }

    /// What the names begin with; in a large file, a row is a page.
    func label(_ word: String) -> String { self == .usual ? word : word + " " + String(repeating: "x", count: 4000) }

    /// What a scenario is called.
    func title(_ name: String) -> String { self == .usual ? name : name + " of 10 MB" }
  }
#endif
