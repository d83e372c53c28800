extension SeedUpgradeReport {
  /// A part of the seed's schema that is new or different, and its outcome in the store.
  ///
  /// An index of the store's that has the name of a new table or view gets another name, `by_name_2`, and is not reported: its name does
  /// not matter.
  public struct SchemaChange: Sendable, Hashable {
    /// The kind of object.
    public enum Kind: String, Sendable, Hashable {
      case table, column, index, view, trigger
      /// A rule of a table: `UNIQUE ("a", "b")`. The name is its text.
      case rule
    }

    /// The outcome for the object.
    public enum Outcome: Sendable, Hashable {
      /// The store has it now.
      case added
      /// The store had it as the old seed, and has it as the new one.
      case replaced
      /// The new seed no longer has it, and neither has the store.
      case dropped
      /// The store stays as it is, for this reason.
      case left(reason: String)
    }

    /// The kind of object.
    public let kind: Kind
    /// Its name in the seed.
    public let name: String
    /// Its table or view; the name itself of a table or view.
    public let table: String
    /// The outcome for the object.
    public let outcome: Outcome
  }
}

extension SeedUpgradeReport.SchemaChange: CustomStringConvertible {
  /// The change in one line.
  public var description: String {
    let what = "\(kind.rawValue) \(name)" + (name == table ? "" : " of \(table)")
    return switch outcome {
    case .added: "\(what) added"
    case .replaced: "\(what) replaced"
    case .dropped: "\(what) dropped"
    case .left(let reason): "\(what) not brought: \(reason)"
    }
  }
}
