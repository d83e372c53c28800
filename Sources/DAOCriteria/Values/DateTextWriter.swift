/// Writes the parts of a date into the bytes of a text, one after the other.
struct DateTextWriter {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// - Parameter bytes: at least 40.
  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  mutating func put(_ value: Int64, digits: Int) {
    var value = value
    for index in (count..<count + digits).reversed() {
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
      value /= 10
    }
    count += digits
  }

  mutating func put(_ date: CivilDate) {
    put(date.year, digits: 4)
    put(UInt8(ascii: "-"))
    put(date.month, digits: 2)
    put(UInt8(ascii: "-"))
    put(date.day, digits: 2)
  }

  mutating func put(time: Int64, hasSeconds: Bool) {
    put(time / 3600, digits: 2)
    put(UInt8(ascii: ":"))
    put(time / 60 % 60, digits: 2)
    if hasSeconds {
      put(UInt8(ascii: ":"))
      put(time % 60, digits: 2)
    }
  }

  mutating func put(offset: Int64) {
    put(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    put(Int64(offset.magnitude / 3600), digits: 2)
    put(UInt8(ascii: ":"))
    put(Int64(offset.magnitude / 60 % 60), digits: 2)
  }
}
