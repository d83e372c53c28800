extension StoreInspection {
  /// How sure the form of a column is.
  public enum Certainty: String, Sendable, Hashable {
    /// The schema says it, or twenty values or more say it by themselves, and none says otherwise.
    case sure
    /// Every value agrees, and so does the column's name or a rule of the schema, but the values alone could be meant otherwise; or there
    /// are few values; or fewer than half of the numbers lose digits by what the column declares.
    case likely
    /// The values have several forms, or could be meant in several ways, or there are none.
    case unsure
  }
}
