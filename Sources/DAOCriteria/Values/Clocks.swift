import Foundation

/// The clocks of a time zone, known by a number, so that what has them can be copied like a number. Zones are kept for as long as the
/// process runs; there are some hundreds.
struct Clocks: Sendable, Hashable {
  let number: UInt16

  /// Universal time.
  static let utc = Clocks(number: 0)

  private enum Zone: Sendable {
    case fixed(Int64)
    case region(TimeZone)
  }

  private static let known = Known()

  private final class Known: @unchecked Sendable {
    private let lock = NSLock()
    private var zones: [(name: String, zone: Zone)] = [("UTC", .fixed(0))]
    private var numbers: [String: UInt16] = ["UTC": 0]

    /// Nil for a name that is no zone's, and once there are as many as numbers.
    func number(of name: String) -> UInt16? {
      lock.withLock {
        if let number = numbers[name] { return number }
        guard let number = UInt16(exactly: zones.count), let zone = Self.zone(name) else { return nil }
        numbers[name] = number
        zones.append((name, zone))
        return number
      }
    }

    subscript(number: UInt16) -> (name: String, zone: Zone) { lock.withLock { zones[Int(number)] } }

    private static func zone(_ name: String) -> Zone? {
      if let offset = offset(name) { return .fixed(offset) }
      // Names alone: an abbreviation stands for several zones. A file may declare any text, and Foundation looks for a file of that name.
      let isName = name.utf8.allSatisfy { byte in
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/_+-".utf8.contains(byte)
      }
      guard isName, name == "GMT" || name.contains("/"), !name.contains("//"), !name.hasPrefix("/"), name.utf8.count <= 40
      else { return nil }
      return TimeZone(identifier: name).map { .region($0) }
    }

    /// The seconds that an offset such as `+02:00` says.
    private static func offset(_ name: String) -> Int64? {
      let bytes = Array(name.utf8)
      guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let sign = [UInt8(ascii: "+"): 1, UInt8(ascii: "-"): -1][bytes[0]],
        [1, 2, 4, 5].allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[$0] }),
        let hours = Int64(String(decoding: bytes[1..<3], as: UTF8.self)), let minutes = Int64(String(decoding: bytes[4...], as: UTF8.self)),
        0...23 ~= hours, 0...59 ~= minutes
      else { return nil }
      return Int64(sign) * (hours * 3600 + minutes * 60)
    }
  }

  /// Nil for a name that is no zone's.
  init?(_ name: String) {
    guard let number = Self.known.number(of: name) else { return nil }
    self.number = number
  }

  init(number: UInt16) { self.number = number }

  var name: String { Self.known[number].name }

  /// The seconds east of UTC at an instant in seconds since 1970.
  func offset(at instant: Int64) -> Int64 {
    if number == 0 { return 0 }
    return switch Self.known[number].zone {
    case .fixed(let offset): offset
    case .region(let zone): Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }
  }

  /// The instant at which the clocks show a time, the first of two; nil for a time that they pass over.
  /// - Parameter local: the time, as if it were UTC, in seconds since 1970.
  func instant(showing local: Int64) -> Int64? { number == 0 ? local : Self.instant(showing: local, offset) }

  /// The instant at which a day begins: where the clocks pass over midnight, when they do.
  /// - Parameter midnight: the day's, as if it were UTC, in seconds since 1970.
  func start(ofDay midnight: Int64) -> Int64 { number == 0 ? midnight : Self.start(ofDay: midnight, offset) }

  private static func instant(showing local: Int64, _ offset: (Int64) -> Int64) -> Int64? {
    offsets(around: local, offset).sorted(by: >).lazy.map { local - $0 }.first { offset($0) == local - $0 }
  }

  /// The same by the offset at each instant, in seconds east of UTC.
  static func start(ofDay midnight: Int64, _ offset: (Int64) -> Int64) -> Int64 {
    instant(showing: midnight, offset) ?? midnight - (offsets(around: midnight, offset).min() ?? 0)
  }

  /// The offsets before and after a time. The clocks of a zone are changed at most once in two days.
  private static func offsets(around local: Int64, _ offset: (Int64) -> Int64) -> [Int64] {
    [offset(local - 86_400), offset(local + 86_400)]
  }
}
