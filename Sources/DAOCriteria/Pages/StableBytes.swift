import Foundation

/// Values as bytes that are the same on every platform and in every version of the library: integers from their lowest byte on, and before
/// what varies in length, its length.
struct StableBytes {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(256) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func append(count: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
  }

  mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ data: Data) {
    append(count: data.count)
    bytes.append(contentsOf: data)
  }

  mutating func append(_ value: StoredValue) {
    switch value {
    case .null: append(UInt8(0))
    case .integer(let number):
      append(UInt8(1))
      append(UInt64(bitPattern: number))
    case .real(let number):
      append(UInt8(2))
      append(number.bitPattern)
    case .text(let text):
      append(UInt8(3))
      append(text)
    case .blob(let data):
      append(UInt8(4))
      append(data)
    }
  }
}

/// Reads what ``StableBytes`` wrote; nil for anything that it could not have written. Its output is no longer than its input.
struct StableBytesReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func number() -> UInt64? { bytes(8).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } } }

  mutating func value() -> StoredValue? {
    switch byte() {
    case 0: .null
    case 1: number().map { .integer(Int64(bitPattern: $0)) }
    case 2: number().flatMap { Double(bitPattern: $0).isNaN ? nil : .real(Double(bitPattern: $0)) }
    case 3:
      run().flatMap { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? .text(text) : nil
      }
    case 4: run().map { .blob(Data($0)) }
    default: nil
    }
  }

  /// Bytes with their number before them.
  private mutating func run() -> ArraySlice<UInt8>? {
    bytes(4).flatMap { count in bytes(count.reversed().reduce(0) { $0 << 8 | Int($1) }) }
  }

  private mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
