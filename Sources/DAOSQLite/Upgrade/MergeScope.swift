/// The changes that a rule of the schema is applied to.
enum MergeScope {
  /// The changes of a round that are done; nil for those of all rounds.
  case round(Int?)
  /// The changes that are held back and have no reason yet, each as if it alone were done as well.
  case alone

  /// The column of the action.
  var act: String { if case .alone = self { "wish" } else { "act" } }

  var isAlone: Bool { if case .alone = self { true } else { false } }

  func includes(_ change: String) -> String {
    switch self {
    case .round(nil): "1"
    case .round(let number?): "\(change).turn = \(number)"
    case .alone: "\(change).act = \(MergeAct.keep.rawValue) AND \(change).why = \(MergeReason.undecided.rawValue)"
    }
  }

  /// A change puts its row.
  /// - Parameter isFound: whether it is found by its values. SQLite would search all changes of a round for each otherwise.
  func puts(_ change: String, isFound: Bool = false) -> String {
    "\(change).\(act) = \(MergeAct.put.rawValue) AND \(includes(isFound ? "+" + change : change))"
  }

  /// The condition that a row of the store is not the change's own: one that is tried alone replaces its own row too.
  func isOther(_ table: MergeTable, row: String, than change: String) -> [String] {
    isAlone ? ["NOT coalesce(\(table.isAbout(change, row)), 0)"] : []
  }
}
