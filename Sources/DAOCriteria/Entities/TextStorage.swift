extension AttributeType {
  /// How a text is kept where that is not simply its UTF-8, ``AttributeType/text``.
  ///
  /// | form | `Ab` is kept as | declared as | equal to it | an index answers |
  /// |---|---|---|---|---|
  /// | ``nocase`` | `'Ab'` | `TEXT COLLATE NOCASE` | `'AB'`, `'ab'` | filters, orders |
  /// | ``rtrim`` | `'Ab'` | `TEXT COLLATE RTRIM` | `'Ab '`, `'Ab  '` | filters, orders |
  /// | ``padded(_:)``, to 4 | `'Ab  '` | `TEXT_PADDED(4)` | | `==`, `!=`, `in` |
  /// | ``blob`` | `x'4162'` | `TEXT_BLOB` | | filters, orders |
  ///
  /// A collation is a property of the column. Texts that it finds equal are one key and one value of a unique index and of a foreign key,
  /// and filters with `==`, `<` and `in`, orders, groups, distinct values, `min`, `max` and pages go by it: `"name" COLLATE NOCASE = ?`,
  /// which an index over the column answers. Of a group's spellings, and of the least or greatest, one is returned. Texts are read and
  /// written as they are spelled, functions of texts and `contains`, `beginsWith`, `endsWith` and `like` see that spelling, and their
  /// results are plain texts.
  ///
  /// A padded text, and one in bytes, is ordered and compared as the text that is read, and functions and patterns see that too:
  /// `dao_length(dao_text("code", 'TEXT_PADDED(4)'))`. A value of another width, or of bytes that are no UTF-8, is an error of its row.
  ///
  /// The rules of collations are SQLite's (sqlite.org/datatype3.html, section 7).
  public enum TextStorage: Sendable, Hashable {
    /// Equal and ordered without regard to the case of the letters A to Z; all other letters differ.
    case nocase
    /// Equal and ordered without regard to blanks at the end.
    case rtrim
    /// Followed by blanks up to a number of characters (Unicode scalars, 1 to 65,535), as programs fill a `CHAR(8)`. A text that is longer,
    /// or ends with a blank, is refused.
    case padded(Int)
    /// The bytes of its UTF-8, as a blob.
    case blob
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

  /// Whether texts are equal by the collation of their column, by which its indexes find them too.
  package var isCollated: Bool { collation != "BINARY" }

  /// The collation of columns of this type.
  package var collation: String { if case .storedText(let storage) = self { storage.collation } else { "BINARY" } }

  /// The name of the type in a column's definition, before its collation.
  package var columnType: String { isCollated ? AttributeType.text.declaredName : declaredName }

  /// The form of texts that are kept as others or as bytes; nil for all other values.
  package var encodedText: AttributeType.TextStorage? {
    if case .storedText(let storage) = self, !isCollated { storage } else { nil }
  }
}

extension AttributeType.TextStorage {
  /// The collation of the column.
  package var collation: String {
    switch self {
    case .nocase: "NOCASE"
    case .rtrim: "RTRIM"
    case .padded, .blob: "BINARY"
    }
  }

  /// How texts are ordered, where that is not by their stored bytes.
  var order: ValueOrder? {
    switch self {
    case .nocase: .nocase
    case .rtrim, .padded: .rtrim
    case .blob: nil
    }
  }

  /// The name in a schema.
  var declaredName: String {
    switch self {
    case .nocase, .rtrim: "TEXT COLLATE \(collation)"
    case .padded(let width): "TEXT_PADDED(\(width))"
    case .blob: "TEXT_BLOB"
    }
  }

  /// The form of columns with a collation; nil for others than these.
  package init?(collation: String) { self.init(declared: "TEXT COLLATE \(collation)") }

  /// The form of a name in a schema, in capitals; nil for other names.
  init?(declared name: String) {
    switch name {
    case "TEXT COLLATE NOCASE": self = .nocase
    case "TEXT COLLATE RTRIM": self = .rtrim
    case "TEXT_BLOB": self = .blob
    default:
      guard name.hasPrefix("TEXT_PADDED("), name.hasSuffix(")"), let width = Int(name.dropFirst(12).dropLast()), Self.widths ~= width
      else { return nil }
      self = .padded(width)
    }
  }

  /// The widths that texts may be padded to.
  static let widths = 1...65_535
}
