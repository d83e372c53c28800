/// The changes `d` that a rule of the schema is applied to.
enum MergeScope {
  /// The changes of a round that are done; nil for those of all rounds.
  case round(Int?)
  /// The changes that are held back and have no reason yet, each as if it alone were done as well.
  case alone

  /// The column that says what is done.
  var act: String { if case .alone = self { "wish" } else { "act" } }

  var isAlone: Bool { if case .alone = self { true } else { false } }

  func includes(_ d: String) -> String {
    switch self {
    case .round(nil): "1"
    case .round(let number?): "\(d).turn = \(number)"
    case .alone: "\(d).act = \(MergeAct.keep.rawValue) AND \(d).why = \(MergeReason.none.rawValue)"
    }
  }

  /// A change puts its row.
  /// - Parameter isFound: whether it is found by its values. SQLite would search all changes of a round for each otherwise.
  func puts(_ d: String, isFound: Bool = false) -> String {
    "\(d).\(act) = \(MergeAct.put.rawValue) AND \(includes(isFound ? "+" + d : d))"
  }

  /// A change that is tried alone takes the place of its own row too.
  func isOther(_ table: MergeTable, row m: String, than d: String) -> String {
    isAlone ? " AND NOT coalesce(\(table.isAbout(d, m)), 0)" : ""
  }
}
