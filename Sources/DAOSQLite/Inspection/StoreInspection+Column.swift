import DAOCriteria
import DAOSQL

extension StoreInspection {
  /// A column of a table or view, and what its values are.
  public struct Column: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its declared type as written; empty where there is none.
    public let declaredType: String
    /// The type that describes it.
    public let type: AttributeType
    /// How sure that is.
    public let certainty: Certainty
    /// Why, in one sentence.
    public let reason: String
    /// The forms that were counted, that of ``type`` first.
    public let forms: [Form]
    /// How many rows have a value in it.
    public let values: Int
    /// How many have null.
    public let nulls: Int
    /// What a `CHECK` of the table says of it.
    public let rule: ColumnRule?
  }
}

extension StoreInspection.Column: CustomStringConvertible {
  /// The column in one line, and a further one for each other form of one that is not sure.
  public var description: String {
    let declared = declaredType.isEmpty ? "no type" : declaredType
    let first = "\(name) (\(declared)): \(type.swiftName), \(certainty): \(reason)" + (rule.map { "; CHECK \($0)" } ?? "")
    let others = certainty == .unsure ? forms.map { form in "  \(form)" } : []
    return ([first] + others).joined(separator: "\n")
  }
}

extension StoreInspection.Form: CustomStringConvertible {
  /// The form with its counts.
  public var description: String {
    let against = others == 0 ? "" : ", \(others) against" + (example.map { ", such as \($0)" } ?? "")
    return "\(type.swiftName): \(matching) values for it\(against)" + (reason.map { ", since \($0)" } ?? "")
  }
}
