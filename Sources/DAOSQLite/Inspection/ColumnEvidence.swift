import DAOCriteria
import Foundation

/// What the values of a column look like, from one pass over them: enough to propose forms, of which a second pass counts the values.
struct ColumnEvidence {
  private(set) var nulls = 0
  private(set) var integers = 0
  private(set) var reals = 0
  private(set) var texts = 0
  private(set) var blobs = 0
  // Integers that are 0, and 1.
  private(set) var zeros = 0
  private(set) var ones = 0
  /// How many numbers, and texts of digits, count from 1970 in each unit to an instant between 1950 and 2100.
  private(set) var numbersOfUnit: [TimeUnit: Int] = [:]
  private(set) var textsOfUnit: [TimeUnit: Int] = [:]
  /// The units in which a number, or a text of digits, is an instant between 1990 and 2050, with how many are.
  private(set) var nearUnits: [TimeUnit: Int] = [:]
  /// Those of them from 2001 on.
  private(set) var recentUnits: [TimeUnit: Int] = [:]
  /// Numbers whose ten digits are a year, month, day and hour, or a year of two digits, month, day, hour and minute.
  private(set) var writtenHours = 0
  /// Doubles that are days between 1950 and 2100 by the Julian count.
  private(set) var julianDays = 0
  /// How many doubles have how many digits after the point.
  private(set) var digits: [Int: Int] = [:]
  private(set) var dates: [DateShape: Int] = [:]
  private(set) var uuids: [UUIDSpelling: Int] = [:]
  // Those without a letter, which are spelled both ways.
  private(set) var caselessUUIDs: [UUIDSpelling: Int] = [:]
  /// UUIDs, in texts and blobs, with the marks of RFC 9562.
  private(set) var markedUUIDs = 0
  /// The texts, as long as they are few different ones and no longer than a word for true or false.
  private(set) var words: [String: Int]? = [:]
  private(set) var decimals = 0
  private(set) var decimalsWithPoint = 0
  /// How many of them have how many digits after the point.
  private(set) var decimalDigits: [Int: Int] = [:]
  // Digits that begin with a zero, as codes do.
  private(set) var zeroLed = 0
  private(set) var json = 0
  /// The widths of the texts, in characters: the first two that differ.
  private(set) var widths: Set<Int> = []
  private(set) var padded = 0
  /// Blobs of 16 bytes, and those of printable UTF-8.
  private(set) var blobsOf16 = 0
  private(set) var textBlobs = 0

  /// The units in which programs count time.
  enum TimeUnit: Int, CaseIterable {
    case seconds, milliseconds, microseconds, nanoseconds

    /// The unit in which a number is an instant between 1950 and 2100, and not within weeks of 1970.
    init?(_ number: Double) {
      guard let unit = Self.allCases.first(where: { 1e7 * $0.perSecond...4.2e9 * $0.perSecond ~= number.magnitude }) else { return nil }
      self = unit
    }

    /// Whether a number is an instant between 1990 and 2050. No other unit has such numbers between the years 1 and 9999.
    func isNear(_ number: Double) -> Bool { 631_152_000 * perSecond..<2_524_608_000 * perSecond ~= number }

    /// Whether it is one from 2001 on. Numbers of our time that count from 2001, or as .NET counts, are earlier ones here.
    func isRecent(_ number: Double) -> Bool { isNear(number) && number >= 978_307_200 * perSecond }

    private var perSecond: Double { [1, 1e3, 1e6, 1e9][rawValue] }
  }

  /// How many doubles have so many digits after the point, or fewer.
  func count(ofDigits most: Int) -> Int { digits.reduce(0) { $0 + ($1.key <= most ? $1.value : 0) } }

  /// The digits after the point that nearly all doubles get by with, 1 to 6; else those that most have, if a quarter does. Nil where all
  /// are whole numbers.
  var usualDigits: Int? {
    if reals == 0 { return nil }
    if let enough = (0...6).first(where: { count(ofDigits: $0) * 20 >= reals * 19 }) { return enough == 0 ? nil : enough }
    guard let (most, count) = digits.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), 1...6 ~= most, count * 4 >= reals else {
      return nil
    }
    return most
  }

  private static let longestWord = (BoolText.trueWords + BoolText.falseWords).map(\.utf8.count).max() ?? 0

  /// The values that are not null.
  var values: Int { integers + reals + texts + blobs }

  mutating func note(_ value: StoredValue) {
    switch value {
    case .null: nulls += 1
    case .integer(let number):
      integers += 1
      if number == 0 { zeros += 1 }
      if number == 1 { ones += 1 }
      note(number: Double(number), in: \.numbersOfUnit)
    case .real(let number):
      reals += 1
      note(number: number, in: \.numbersOfUnit)
      if 2_433_282.5...2_488_070.5 ~= number { julianDays += 1 }
      if let count = Self.digits(of: number) { digits[count, default: 0] += 1 }
    case .text(let text):
      texts += 1
      note(text)
    case .blob(let bytes):
      blobs += 1
      if bytes.count == 16 {
        blobsOf16 += 1
        if Self.isMarked(bytes[bytes.startIndex + 6] >> 4, bytes[bytes.startIndex + 8] >> 4) { markedUUIDs += 1 }
      }
      if let text = String(data: bytes, encoding: .utf8), text.unicodeScalars.allSatisfy(Self.isPrintable) { textBlobs += 1 }
    }
  }

  private mutating func note(number: Double, in units: WritableKeyPath<Self, [TimeUnit: Int]>) {
    guard let unit = TimeUnit(number) else { return }
    self[keyPath: units][unit, default: 0] += 1
    if unit.isNear(number) { nearUnits[unit, default: 0] += 1 }
    if unit.isRecent(number) { recentUnits[unit, default: 0] += 1 }
    if unit == .seconds, unit.isNear(number), Self.isWrittenHour(Int(number)) { writtenHours += 1 }
  }

  private static func isWrittenHour(_ number: Int) -> Bool {
    let pairs = [100_000_000, 1_000_000, 10_000, 100, 1].map { number / $0 % 100 }
    func isHour(_ month: Int, _ day: Int, _ hour: Int) -> Bool { 1...12 ~= month && 1...31 ~= day && hour < 24 }
    return isHour(pairs[2], pairs[3], pairs[4]) || isHour(pairs[1], pairs[2], pairs[3]) && pairs[4] < 60
  }

  private mutating func note(_ text: String) {
    if words != nil {
      words?[text, default: 0] += 1
      if text.utf8.count > Self.longestWord || (words?.count ?? 0) > 2 * BoolText.trueWords.count { words = nil }
    }
    if let shape = DateShape(text), dates.count < 64 || dates[shape] != nil { dates[shape, default: 0] += 1 }
    noteUUID(text)
    noteNumber(text)
    if let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), JSONScanner.problem(in: text) == nil {
      json += 1
    }
    let count = text.unicodeScalars.count
    if widths.count < 2 { widths.insert(count) }
    if text.utf8.last == UInt8(ascii: " ") { padded += 1 }
  }

  private mutating func noteUUID(_ text: String) {
    let utf8 = Array(text.utf8.prefix(39))
    guard [32, 34, 36, 38].contains(utf8.count) else { return }
    var spelling: UUIDSpelling = utf8.first == UInt8(ascii: "{") ? [.inBraces] : []
    if utf8.count < 36 { spelling.insert(.withoutHyphens) }
    let hasCapitals = utf8.contains { 0x41...0x46 ~= $0 }
    if hasCapitals { spelling.insert(.capitals) }
    guard spelling.type.isForm(of: .text(text)) else { return }
    let digits = utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") }
    let nibble = { (place: Int) in Character(UnicodeScalar(digits[place])).hexDigitValue.map(UInt8.init) ?? 0 }
    if Self.isMarked(nibble(12), nibble(16)) { markedUUIDs += 1 }
    let hasLetters = hasCapitals || digits.contains { 0x61...0x66 ~= $0 }
    if hasLetters { uuids[spelling, default: 0] += 1 } else { caselessUUIDs[spelling, default: 0] += 1 }
  }

  private mutating func noteNumber(_ text: String) {
    let utf8 = text.utf8
    guard 1...40 ~= utf8.count, utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return }
    let unsigned = utf8.first == UInt8(ascii: "-") || utf8.first == UInt8(ascii: "+") ? utf8.dropFirst() : utf8[...]
    let points = unsigned.filter { $0 == UInt8(ascii: ".") }.count
    guard points <= 1, unsigned.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }) else { return }
    decimals += 1
    if let point = unsigned.firstIndex(of: UInt8(ascii: ".")) {
      decimalsWithPoint += 1
      decimalDigits[unsigned.distance(from: point, to: unsigned.endIndex) - 1, default: 0] += 1
    }
    if unsigned.count > 1, unsigned.first == UInt8(ascii: "0"), unsigned.dropFirst().first != UInt8(ascii: ".") { zeroLed += 1 }
    if points == 0, let number = Double(text) { note(number: number, in: \.textsOfUnit) }
  }

  /// The version of a UUID is 1 to 8, and its variant 8 to 11 (RFC 9562, section 4).
  private static func isMarked(_ version: UInt8, _ variant: UInt8) -> Bool { 1...8 ~= version && 8...11 ~= variant }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0x7F || ["\t", "\n", "\r"].contains(scalar)
  }

  /// The least number of digits after the point to which a double is a decimal number but for the last bits; nil where there is none.
  static func digits(of number: Double) -> Int? {
    guard number.isFinite, number.magnitude < 1e15 else { return nil }
    return (0...18).first { isRounded(number, to: $0) }
  }

  /// Whether a double is a decimal number of so many digits, but for the last bits, which computing leaves.
  static func isRounded(_ number: Double, to digits: Int) -> Bool {
    guard number.isFinite, number.magnitude < 1e15 else { return number.isFinite }
    let power = pow(10, Double(digits))
    return ((number * power).rounded() / power - number).magnitude <= number.magnitude * 1e-14
  }
}

extension UUIDSpelling {
  /// The type of UUIDs that are spelled so.
  var type: AttributeType { isEmpty ? .uuid(.text) : .uuid(.spelled(self)) }
}
