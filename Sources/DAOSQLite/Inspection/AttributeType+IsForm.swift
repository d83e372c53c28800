import DAOCriteria
import DAOSQL

extension AttributeType {
  /// Whether a stored value has the form of the type: whether it is read as such a value, and nothing of it is lost.
  func isForm(of value: StoredValue) -> Bool {
    switch (self, value) {
    case (.decimal(.numeric(let digits)), .real(let number)), (.decimal(.real(let digits)), .real(let number)):
      // Of greater ones a part is more than a Decimal holds.
      return ColumnEvidence.isRounded(number, to: digits) && (number.magnitude < 1e15 || (try? scalar(value)) != nil)
    case (.json, .text(let text)): return JSONScanner.problem(in: text) == nil
    default: return (try? scalar(value)) != nil
    }
  }
}
