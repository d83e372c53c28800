import DAOCriteria

/// How a text is laid out that may be a date: `2026-11-21 06:19:00.250` has a day, a blank, seconds and three digits.
struct DateShape: Hashable {
  private(set) var hasDay = false
  // A blank, or `T`; empty where a day or a time stands alone.
  private(set) var separator = ""
  private(set) var hasClock = false
  private(set) var hasSeconds = false
  private(set) var digits = 0
  private(set) var endsInZero = false
  private(set) var isWhole = false
  private(set) var suffix = ""

  /// The layout of a text; nil where it is of no date. Whether there is such a day is not examined.
  init?(_ text: String) {
    var rest = Substring(text).utf8
    // Longer than any of these.
    guard 5...40 ~= rest.count else { return nil }
    func take(_ pattern: String) -> Bool {
      guard rest.count >= pattern.utf8.count else { return false }
      let fits = zip(rest, pattern.utf8).allSatisfy { byte, wanted in wanted == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == wanted }
      if fits { rest = rest.dropFirst(pattern.utf8.count) }
      return fits
    }
    hasDay = take("0000-00-00")
    if hasDay, rest.isEmpty { return }
    if hasDay {
      separator = take(" ") ? " " : take("T") ? "T" : ""
      if separator.isEmpty { return nil }
    }
    guard take("00:00") else { return nil }
    hasClock = true
    hasSeconds = take(":00")
    if hasSeconds, take(".") {
      let fraction = rest.prefix { 0x30...0x39 ~= $0 }
      guard 1...9 ~= fraction.count else { return nil }
      (digits, endsInZero) = (fraction.count, fraction.last == UInt8(ascii: "0"))
      isWhole = fraction.allSatisfy { $0 == UInt8(ascii: "0") }
      rest = rest.dropFirst(fraction.count)
    }
    if hasDay { suffix = take("Z") ? "Z" : take("+00:00") || take("-00:00") ? "+HH:MM" : "" }
    if !rest.isEmpty { return nil }
  }

  /// The layout without the digits of the second, by which values of one column belong together.
  var frame: DateShape {
    var frame = self
    (frame.digits, frame.endsInZero, frame.isWhole) = (0, false, false)
    return frame
  }

  /// The pattern of dates that are laid out so.
  /// - Parameters:
  ///   - shapes: how many texts of this frame have which digits.
  ///   - leavesOutZeros: whether six digits are left out where all are 0, unless a text has such.
  func pattern(of shapes: [DateShape: Int], leavesOutZeros: Bool = false) -> String {
    let lengths = Set(shapes.keys.map(\.digits))
    let most = lengths.max() ?? 0
    let fraction =
      if most == 0 {
        ""
      } else if lengths == [6], leavesOutZeros, !shapes.keys.contains(where: \.isWhole) {
        "[.SSSSSS]"
      } else if lengths.count == 1 {
        "." + String(repeating: "S", count: most)
      } else if lengths == [0, most] && most != 7 || shapes.keys.contains(where: \.endsInZero) {
        // Seven digits are .NET's, which writes none that are zeros at the end.
        "[." + String(repeating: "S", count: most) + "]"
      } else {
        "." + String(repeating: "F", count: most <= 3 ? 3 : most <= 7 ? 7 : 9)
      }
    return (hasDay ? "YYYY-MM-DD" : "") + separator + (hasClock ? "HH:MM" : "") + (hasSeconds ? ":SS" : "") + fraction + suffix
  }
}
