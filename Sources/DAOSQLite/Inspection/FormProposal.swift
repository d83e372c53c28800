import DAOCriteria

/// A form that a column's values may have, before they are counted.
struct FormProposal {
  /// What speaks for the form, the weakest first.
  enum Ground: Int {
    /// It is worth naming, and no reason to doubt the plain reading.
    case listed
    /// The values may be meant so, or as they are.
    case possible
    /// The column's name says so, or hardly any other column has such values.
    case hinted
    /// The values say so by themselves.
    case shown
    /// The schema says so.
    case declared
  }

  let type: AttributeType
  let ground: Ground
  /// Why, after "since".
  let reason: String
  /// Whether the schema's word holds against some of the values.
  var isFirm = false
}
