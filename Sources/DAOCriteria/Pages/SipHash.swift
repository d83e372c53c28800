/// SipHash-2-4 with a result of 128 bits: the same on every platform and in every process, which `Hasher` is not.
/// (Aumasson, Bernstein: SipHash, a fast short-input PRF, 2012; the 128 bits as in the authors' reference code.)
package struct SipHash: Sendable, Hashable {
  /// The first 64 bits of the result.
  package let low: UInt64
  /// The others.
  package let high: UInt64

  /// The hash of bytes under a key of two words.
  init(_ bytes: some Collection<UInt8>, key: (UInt64, UInt64)) {
    var stream = Stream(key: key)
    for byte in bytes { stream.take(byte) }
    self = stream.result
  }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Takes bytes as they come.
  package struct Stream {
    private var state: State
    private var word: UInt64 = 0
    private var count: UInt64 = 0

    package init(key: (UInt64, UInt64)) { state = State(key) }

    fileprivate mutating func take(_ byte: UInt8) {
      word |= UInt64(byte) << (8 * (count & 7))
      count &+= 1
      if count & 7 == 0 {
        state.take(word)
        word = 0
      }
    }

    package mutating func take(_ bytes: [UInt8]) { for byte in bytes { take(byte) } }

    /// The hash of the bytes taken so far.
    package var result: SipHash {
      var state = state
      // The last word ends in the number of bytes.
      state.take(word | count << 56)
      state.v2 ^= 0xEE
      let low = state.result()
      state.v1 ^= 0xDD
      return SipHash(low: low, high: state.result())
    }
  }

  private struct State {
    var v0, v1, v2, v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      // "somepseudorandomlygeneratedbytes", and the mark of the long result.
      v0 = key.0 ^ 0x736F_6D65_7073_6575
      v1 = key.1 ^ 0x646F_7261_6E64_6F6D ^ 0xEE
      v2 = key.0 ^ 0x6C79_6765_6E65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func result() -> UInt64 {
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = v1 << 13 | v1 >> 51
      v3 = v3 << 16 | v3 >> 48
      v1 ^= v0
      v3 ^= v2
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v1
      v0 &+= v3
      v1 = v1 << 17 | v1 >> 47
      v3 = v3 << 21 | v3 >> 43
      v1 ^= v2
      v3 ^= v0
      v2 = v2 << 32 | v2 >> 32
    }
  }
}
