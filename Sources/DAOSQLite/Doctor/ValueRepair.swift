import DAOCriteria

/// A rule by which SQL writes values of a wrong form as DAOKit writes them, for those of them whose meaning the form leaves in no doubt.
///
/// A date without a time zone, a number where a text of a date is meant, or a decimal kept as a double have no rule: a person has to decide
/// their meaning.
struct ValueRepair {
  /// The repair, in words.
  let sentence: String
  /// The SQL of the value that is written.
  let value: String
  /// The SQL of the rows that are reached.
  let condition: String

  /// The rule for values of a storage class in an attribute of a type; nil where there is none.
  /// - Parameter column: the column's name, quoted.
  init?(of form: ValueForm, in type: AttributeType, _ column: String) {
    func rule(_ sentence: String, _ value: String, where condition: String) -> (String, String, String) {
      // SQL's functions end at a NUL, behind which a text may say something else.
      let isWhole = form == .text ? "length(\(column)) = length(CAST(\(column) AS BLOB)) AND " : ""
      return (sentence, value, "typeof(\(column)) = '\(form)' AND \(isWhole)\(condition)")
    }
    let digits = "substr(rtrim(substr(\(column), 21), 'Zz') || '000', 1, 3)"
    let whole = "substr(\(column), 1, 10) || 'T' || substr(\(column), 12, 8) || '.' || \(digits) || 'Z'"
    let found: (String, String, String)
    switch (type, form) {
    case (.bool, .text):
      found = rule(
        "write words for true and false as 1 and 0", "lower(\(column)) IN (\(Self.trueWords))",
        where: "lower(\(column)) IN (\(Self.trueWords), \(Self.falseWords))")
    case (.boolText(let words), .text), (.boolText(let words), .integer):
      let value = form == .text ? "lower(\(column))" : "CAST(\(column) AS TEXT)"
      let parts = "\(words)".split(separator: "/")
      found = rule(
        "write truth values as \(words)", "CASE WHEN \(value) IN (\(Self.trueWords)) THEN '\(parts[0])' ELSE '\(parts[1])' END",
        where: "\(value) IN (\(Self.trueWords), \(Self.falseWords)) AND \(value) NOT IN (lower('\(parts[0])'), lower('\(parts[1])'))")
    case (.integer, .text):
      found = rule("write digits as integers", "CAST(\(column) AS INTEGER)", where: "CAST(CAST(\(column) AS INTEGER) AS TEXT) = \(column)")
    case (.integer, .real), (.bool, .real):
      // Beyond 2^53 not every integer is a double.
      let range = type == .bool ? "\(column) IN (0, 1)" : "abs(\(column)) < 9007199254740992 AND CAST(\(column) AS INTEGER) = \(column)"
      found = rule("write whole numbers as integers", "CAST(\(column) AS INTEGER)", where: range)
    case (.text, .integer), (.storedText(.nocase), .integer), (.storedText(.rtrim), .integer), (.decimal(.text), .integer):
      found = rule("write integers as their digits", "CAST(\(column) AS TEXT)", where: "\(column) IS NOT NULL")
    case (.storedText(.padded(let width)), .text):
      let text = "rtrim(\(column), ' ')"
      found = rule(
        "fill texts up to \(width) characters",
        "\(text) || substr('\(String(repeating: " ", count: width))', length(\(text)) + 1)",
        where: "\(Self.isASCII(column)) AND length(\(text)) <= \(width) AND length(\(column)) <> \(width)")
    case (.storedText(.blob), .text):
      found = rule("write texts as their bytes", "CAST(\(column) AS BLOB)", where: Self.isASCII(column))
    case (.decimal(let storage), .text) where storage.scale != nil:
      // Digits that SQLite writes just so, and no more after the point than are read.
      let places = "length(\(column)) - instr(\(column) || '.', '.')"
      found = rule(
        "write digits as numbers", "CAST(\(column) AS NUMERIC)",
        where:
          "\(column) NOT GLOB '*[^0-9.-]*' AND \(places) <= \(storage.scale ?? 0) AND CAST(CAST(\(column) AS NUMERIC) AS TEXT) = \(column)")
    case (.uuid(.text), .text), (.uuid(.spelled), .text):
      let digits = "replace(replace(replace(\(column), '-', ''), '{', ''), '}', '')"
      let written = Self.uuid(digits, spelled: type)
      let forms = [Self.uuid, Self.uuid.replacingOccurrences(of: "-", with: "")].flatMap { [$0, "{\($0)}"] }
      let isUUID = forms.map { "\(column) GLOB '\($0)'" }.joined(separator: " OR ")
      found = rule(
        "write UUIDs as \(type == .uuid(.text) ? "text in lower case" : "they are spelled")", written,
        where: "(\(isUUID)) AND \(column) COLLATE BINARY <> \(written)")
    case (.uuid(.text), .blob), (.uuid(.spelled), .blob):
      found = rule("write UUIDs as text", Self.uuid("hex(\(column))", spelled: type), where: "length(\(column)) = 16")
    case (.date(.iso8601), .text):
      found = rule(
        "write dates in UTC as 2026-11-21T06:19:00.000Z",
        whole, where: "\(Self.isDate(column, digits: 0...3)) AND \(column) COLLATE BINARY <> \(whole)")
    case (.date(.unixSeconds), .text):
      found = rule(
        "write dates in UTC as seconds since 1970", "CAST(strftime('%s', substr(\(column), 1, 19)) AS INTEGER)",
        where: Self.isDate(column, digits: 0...0))
    case (.date(.unixMilliseconds), .text):
      found = rule(
        "write dates in UTC as milliseconds since 1970", "strftime('%s', substr(\(column), 1, 19)) * 1000 + \(digits)",
        where: Self.isDate(column, digits: 0...3))
    case (.date(.text(let pattern)), .text):
      guard let (written, condition) = Self.text(of: pattern, column) else { return nil }
      found = rule("write dates in the form \(pattern)", written, where: "\(condition) AND \(column) COLLATE BINARY <> \(written)")
    default: return nil
    }
    (sentence, value, condition) = found
  }

  /// A date of the same zone as a pattern has it, and the rows that have one: of a pattern in UTC with a fixed number of digits of the
  /// second, and of days that are written with a time of 0:00.
  private static func text(of pattern: DatePattern, _ column: String) -> (String, String)? {
    let (day, clock) = ("substr(\(column), 1, 10)", "substr(\(column), 12, 8)")
    switch pattern.parts {
    case .day?:
      return (
        day, "\(isDate(column, digits: 0...9, zones: ["", "[Zz]"])) AND \(clock) = '00:00:00' AND ltrim(substr(\(column), 21), '0Zz') = ''"
      )
    case .instant(let separator, let digits, let hasZone)?:
      let fraction = digits == 0 ? "" : " || '.' || substr(rtrim(substr(\(column), 21), 'Zz') || '000000000', 1, \(digits))"
      return (
        "\(day) || '\(separator)' || \(clock)\(fraction)\(hasZone ? " || 'Z'" : "")",
        isDate(column, digits: 0...digits, zones: hasZone ? ["[Zz]"] : ["", "[Zz]"])
      )
    case nil: return nil
    }
  }

  /// Other texts may be no UTF-8, which SQL can't tell.
  private static func isASCII(_ column: String) -> String { "\(column) NOT GLOB '*[^' || char(1) || '-' || char(127) || ']*'" }

  private static let trueWords = BoolText.trueWords.map { "'\($0)'" }.joined(separator: ", ")
  private static let falseWords = BoolText.falseWords.map { "'\($0)'" }.joined(separator: ", ")

  /// SQL of a UUID's text from that of its 32 digits.
  private static func uuid(_ digits: String, spelled type: AttributeType) -> String {
    let spelling = if case .uuid(.spelled(let spelling)) = type { spelling } else { UUIDSpelling() }
    let cased = spelling.contains(.capitals) ? "upper(\(digits))" : "lower(\(digits))"
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(\(cased), \($0), \($1))" }
    let text = spelling.contains(.withoutHyphens) ? cased : parts.joined(separator: " || '-' || ")
    return spelling.contains(.inBraces) ? "'{' || \(text) || '}'" : text
  }

  private static let uuid = [8, 4, 4, 4, 12].map { String(repeating: "[0-9A-Fa-f]", count: $0) }.joined(separator: "-")

  /// Whether a text is a date that there is, with so many digits of the second and one of the zones behind it, `Z` by default.
  private static func isDate(_ column: String, digits: ClosedRange<Int>, zones: [String] = ["[Zz]"]) -> String {
    let two = "[0-9][0-9]"
    let patterns = digits.flatMap { count in
      let fraction = count == 0 ? "" : "." + String(repeating: "[0-9]", count: count)
      return zones.map { "\(column) GLOB '\(two)\(two)-\(two)-\(two)[T ]\(two):\(two):\(two)\(fraction)\($0)'" }
    }
    // Computed again, a day that does not exist, such as the 30th of February, is another day; DAOKit does not keep the year 0.
    let start = "substr(\(column), 1, 10) || ' ' || substr(\(column), 12, 8)"
    return "(\(patterns.joined(separator: " OR "))) AND \(column) >= '0001' AND datetime(substr(\(column), 1, 19), '0 days') = \(start)"
  }
}
