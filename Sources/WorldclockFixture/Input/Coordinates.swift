/// A position in degrees, north and east positive, read from ISO 6709 sign-degrees-minutes-seconds.
struct Coordinates: Equatable {
  let latitude: Double
  let longitude: Double

  /// Reads `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS`; nil where the text is anything else or off the globe.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 11 || bytes.count == 15 else { return nil }
    let middle = bytes.count == 11 ? 5 : 7
    guard let latitude = Self.degrees(bytes[..<middle], digits: 2), abs(latitude) <= 90,
      let longitude = Self.degrees(bytes[middle...], digits: 3), abs(longitude) <= 180
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  private static func degrees(_ bytes: ArraySlice<UInt8>, digits: Int) -> Double? {
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    var numbers: [Int] = []
    var rest = bytes.dropFirst()
    var width = digits
    while !rest.isEmpty {
      var number = 0
      for byte in rest.prefix(width) {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      numbers.append(number)
      rest = rest.dropFirst(width)
      width = 2
    }
    guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    // One division, so that the result is the nearest double to the position.
    let seconds = numbers.reduce(0) { $0 * 60 + $1 } * (numbers.count == 2 ? 60 : 1)
    return Double(sign == UInt8(ascii: "-") ? -seconds : seconds) / 3600
  }
}
