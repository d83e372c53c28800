import DAOCriteria

extension AttributeType {
  /// Whether a column of this declared type keeps the attribute's stored form as it is.
  ///
  /// Spellings that store alike are alike: `BOOLEAN` and `INTEGER`, `VARCHAR(20)` and `TEXT`, a date as text and `TEXT`. A date whose form
  /// is stated is like any of the names that stand for dates, such as `DATETIME`, whose values have the form that a person knows, and a
  /// decimal whose digits are stated is like those that stand for numbers, such as `NUMERIC(10,2)`, of no more digits than that. Two
  /// different documented forms are not alike (`DATETIME_TEXT` and `DATETIME_SECONDS`), nor is a column whose affinity would change the
  /// value (text in `NUMERIC`, an integer in `REAL`), nor one whose declared type means another form than the attribute's: a decimal that
  /// is kept as an integer, in `NUMERIC`, where 18 is eighteen and not 0.18.
  package func fits(declared name: String) -> Bool {
    // The library's own padded texts are no others.
    if case .storedText(.padded) = AttributeType(declaredName: name), self != .any { return self == AttributeType(declaredName: name) }
    // A collation is compared by itself.
    if isCollated { return AttributeType.text.fits(declared: name) }
    // `CHAR(8)` is of no other width.
    if case .storedText(.padded(let width)) = self, DeclaredMeaning.width(declaredName: name).map({ $0 != width }) ?? false { return false }
    let found = AttributeType(declaredName: name)
    if self == .any || found == self { return true }
    if case .decimal(let storage) = self, storage.scale != nil { return storage.fits(found, declared: name) }
    switch (self, DeclaredMeaning(declaredName: name)) {
    // Nobody has to state the form of the library's own texts.
    case (.date(.iso8601), .instant): return false
    // No affinity makes numbers of these texts.
    case (.date(.text), .instant): return true
    // With hyphens or braces they are no numbers either.
    case (.uuid(.text), .uuid): return true
    case (.uuid(.spelled(let spelling)), .uuid): return spelling != [.withoutHyphens] && spelling != [.withoutHyphens, .capitals]
    case (.date, .instant): return storedForm.survives(Affinity(declaredName: name))
    case (_, .some) where isSpecial: return false
    default: break
    }
    // Bytes stay bytes in a column of texts.
    if self == .storedText(.blob), found == .text { return true }
    // Words are no numbers.
    if case .boolText(let words) = self, !words.isDigits, found == .bool || found == .any { return true }
    if found == .any { return storedForm.survives(Affinity(declaredName: name)) }
    guard !isSpecial || !found.isSpecial else { return false }
    return storedForm == found.storedForm || storedForm == .number && (found == .integer || found == .real)
  }

  /// Whether values of a column of this declared type, which is only read, mean what the attribute's do: 18 of a view's `NUMERIC` column is
  /// not 0.18. A value of another form is an error of its row.
  package func isRead(fromDeclared name: String) -> Bool { !isSpecial || fits(declared: name) }

  /// The name of the type in a STRICT table, which knows no other names (sqlite.org/stricttables.html, section 2).
  var strictName: String {
    // Integers too, and as they are.
    if case .decimal(.numeric) = self { return "ANY" }
    return switch storedForm {
    case .integer: "INTEGER"
    case .real, .number: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .any: "ANY"
    }
  }

  /// A form that a plain type of the same storage class does not express.
  private var isSpecial: Bool {
    switch self {
    case .uuid, .date, .decimal, .json, .boolText: true
    case .storedText: encodedText != nil
    case .bool, .integer, .real, .text, .data, .any: false
    }
  }

  /// How an attribute of the type is written in Swift: the property's type, and its option where it needs one.
  package var swiftName: String {
    switch self {
    case .bool: "Bool"
    case .boolText(let words): "Bool with .boolText(\"\(words)\")"
    case .integer: "Int"
    case .real: "Double"
    case .text: "String"
    case .storedText(let storage): "String with .text(.\(storage))"
    case .data: "Data"
    case .uuid(.blob): "UUID"
    case .uuid(.text): "UUID with .uuidText"
    case .uuid(.spelled(let spelling)): "UUID with .uuidSpelled(\(spelling))"
    case .date(.iso8601): "Date"
    case .date(.text(let pattern)):
      "Date with .dateText(\"\(pattern.pattern)\"\(pattern.zone == "UTC" ? "" : ", zone: \"\(pattern.zone)\""))"
    case .date(let storage): "Date with .\(storage)"
    case .decimal(.text): "Decimal"
    case .decimal(let storage): "Decimal with .\(storage)"
    case .json: "a Codable type"
    case .any: "Scalar"
    }
  }
}

extension Attribute {
  /// Whether a column of this declared type holds the attribute's values, as those that are written or, of a view or a generated column,
  /// as those that are only read.
  func fits(declared name: String, isOnlyRead: Bool) -> Bool {
    isOnlyRead || isGenerated ? type.isRead(fromDeclared: name) : type.fits(declared: name)
  }
}

extension StoredForm {
  /// Whether a column of this affinity leaves such values alone (sqlite.org/datatype3.html, section 3).
  fileprivate func survives(_ affinity: Affinity) -> Bool {
    switch self {
    case .integer: affinity != .text && affinity != .real
    case .real, .number: affinity != .text
    case .text: affinity == .text || affinity == .blob
    case .blob, .any: true
    }
  }
}

extension AttributeType {
  /// Whether SQLite makes doubles of the numbers in a column that is declared so.
  package static func isReal(declared name: String) -> Bool {
    if case .real = Affinity(declaredName: name) { true } else { false }
  }
}

extension AttributeType.DecimalStorage {
  /// Whether a column of this declared type, and the type that it stands for, holds such numbers: `.numeric(2)` those of `NUMERIC`, of
  /// `DECIMAL(10,2)`, of whole numbers and of none, `.real(2)` those of `REAL`.
  fileprivate func fits(_ found: AttributeType, declared name: String) -> Bool {
    guard let scale, DeclaredMeaning.digits(declaredName: name).map({ $0 <= scale }) ?? true else { return false }
    let affinity = Affinity(declaredName: name)
    switch (found, DeclaredMeaning(declaredName: name)) {
    case (.any, .number), (.any, nil): break
    case (.integer, _), (.real, _): break
    default: return false
    }
    // In a column without a type an integer would stay one, which this form does not write.
    if case .real = self { return affinity == .real }
    return affinity == .numeric || affinity == .integer || affinity == .blob
  }
}
