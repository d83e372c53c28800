extension AttributeType {
  /// How a text is kept where that is not simply its UTF-8, ``AttributeType/text``.
  ///
  /// | form | `Ab` is kept as | declared as | equal to it |
  /// |---|---|---|---|
  /// | ``nocase`` | `'Ab'` | `TEXT COLLATE NOCASE` | `'AB'`, `'ab'` |
  /// | ``rtrim`` | `'Ab'` | `TEXT COLLATE RTRIM` | `'Ab '`, `'Ab  '` |
  ///
  /// A collation is a property of the column. Texts that it finds equal are one key and one value of a unique index and of a foreign key,
  /// and filters with `==`, `<` and `in`, orders, groups, distinct values, `min`, `max` and pages go by it: `"name" COLLATE NOCASE = ?`,
  /// which an index over the column answers. Of a group's spellings, and of the least or greatest, one is returned. Texts are read and
  /// written as they are spelled, functions of texts and `contains`, `beginsWith`, `endsWith` and `like` see that spelling, and their
  /// results are plain texts.
  ///
  /// The rules are SQLite's (sqlite.org/datatype3.html, section 7).
  public enum TextStorage: Sendable, Hashable {
    /// Equal and ordered without regard to the case of the letters A to Z; all others are told apart.
    case nocase
    /// Equal and ordered without regard to blanks at the end.
    case rtrim
  }

  /// A text that is kept in another form than as its UTF-8 alone: `.text(.nocase)`.
  public static func text(_ storage: TextStorage) -> AttributeType { .storedText(storage) }
}

extension AttributeType {
  /// Whether its values are texts of any kind, in whichever form.
  package var isString: Bool {
    if case .storedText = self { return true }
    return self == .text
  }
}

extension AttributeType.TextStorage {
  /// The collation of the column.
  package var collation: String {
    switch self {
    case .nocase: "NOCASE"
    case .rtrim: "RTRIM"
    }
  }

  /// How texts are ordered.
  var order: ValueOrder {
    switch self {
    case .nocase: .nocase
    case .rtrim: .rtrim
    }
  }

  /// The name in a schema.
  var declaredName: String { "TEXT COLLATE \(collation)" }

  /// The form of columns with a collation; nil for others than these.
  package init?(collation: String) { self.init(declared: "TEXT COLLATE \(collation)") }

  /// The form of a name in a schema, in capitals; nil for other names.
  init?(declared name: String) {
    switch name {
    case "TEXT COLLATE NOCASE": self = .nocase
    case "TEXT COLLATE RTRIM": self = .rtrim
    default: return nil
    }
  }
}
