import DAOCriteria

/// Names of tables and columns as Swift spells them.
enum SwiftName {
  /// A property's name: `created_at`, `Created At` and `CREATED_AT` are `createdAt`, `CustomerID` is `customerID`.
  static func property(_ name: String) -> String {
    let words = words(of: name)
    guard let first = words.first else { return "column" }
    let joined = lowered(first) + words.dropFirst().map(capitalized).joined()
    return joined.first?.isNumber == true ? "column" + joined : joined
  }

  /// A type's name: `order details` is `OrderDetails`.
  static func type(_ name: String) -> String {
    let joined = words(of: name).map(capitalized).joined()
    if joined.isEmpty { return "Table" }
    return joined.first?.isNumber == true ? "Table" + joined : taken.contains(joined) ? joined + "Row" : joined
  }

  /// The name of several: `track` is `tracks`, `category` `categories`; a name that ends in an s stays.
  static func plural(_ name: String) -> String {
    if name.hasSuffix("s") { return name }
    if ["ch", "sh", "x", "z"].contains(where: name.hasSuffix) { return name + "es" }
    let isConsonant = name.dropLast().last.map { !"aeiou".contains($0.lowercased()) } ?? false
    return name.hasSuffix("y") && isConsonant ? name.dropLast() + "ies" : name + "s"
  }

  /// A name as it stands in code: in backticks where it is a keyword.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A text as a literal in code.
  static func literal(_ text: String) -> String {
    "\"" + visible(text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()) + "\""
  }

  /// A text in which what no reader sees (controls, marks of direction, separators of lines) is written out, so that code is what it looks
  /// like.
  static func visible(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }

  /// The names with numbers behind those that others have.
  static func distinct(_ names: [String]) -> [String] {
    let all = Set(names)
    var (made, taken): ([String], Set<String>) = ([], [])
    for name in names {
      let wanted = reserved.contains(name) ? name + "Value" : name
      var (free, number) = (wanted, 1)
      while taken.contains(free) || number > 1 && all.contains(free) {
        number += 1
        free = "\(wanted)\(number)"
      }
      taken.insert(free)
      made.append(free)
    }
    return made
  }

  private static func words(of name: String) -> [String] {
    let isShouted = !name.contains(where: \.isLowercase)
    return name.split { !isPart($0) }.map { isShouted ? $0.lowercased() : String($0) }
  }

  private static func isPart(_ character: Character) -> Bool {
    let isSeen = character.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    return isSeen && (character.isLetter || character.isASCII && character.isNumber)
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  /// The capitals in front lowered, but for the one that starts the next word: `URLEntry` is `urlEntry`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    let startsWord = capitals.count > 1 && word.dropFirst(capitals.count).first?.isLowercase == true
    let front = startsWord ? capitals.dropLast() : capitals
    return front.lowercased() + word.dropFirst(front.count)
  }

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil",
    "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Names that an entity has for itself, and that no backticks help.
  private static let reserved: Set<String> = [
    "primaryKey", "entityDescription", "init", "self", "Self", "Type", "Protocol", "hashValue", "await", "async", "unsafe", "consume",
    "copy",
    "discard", "each", "borrow",
  ]

  /// Types that the entities' code names.
  static let taken: Set<String> = [
    "Any", "Array", "Attribute", "AttributeMapping", "AttributeType", "AttributeValue", "Bool", "Criteria", "DAOCriteria", "DAOKit",
    "DAOMacros",
    "DeleteRule", "EntityKey", "FieldPath", "ForeignKey", "Foundation", "Relationship", "RowProblem", "Swift", "CalendarDay", "Character",
    "Data", "Date", "Decimal", "Dictionary", "Double", "Entity",
    "EntityDescription", "EntityFields", "Field", "Fields", "Float", "ID", "Index", "Int", "Int64", "Many", "ManyToMany", "Never",
    "Optional",
    "PrimaryKey", "Prefetching", "Reference", "RelatedField", "RowReader", "ColumnWriter", "Scalar", "Set", "String", "TimeOfDay", "ToMany",
    "ToOne", "Transient", "URL", "UUID", "Void", "Error", "Result", "Sequence", "Collection", "Type", "Protocol", "Self",
  ]
}
