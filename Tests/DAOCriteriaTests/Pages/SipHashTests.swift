import Testing

@testable import DAOCriteria

@Suite("SipHash")
struct SipHashTests {
  /// The authors' vectors (vectors_sip128 of their reference code): the key is the bytes 0 to 15, a message of n bytes those from 0 on.
  static let vectors: [(Int, String)] = [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
    (8, "3b62a9ba6258f5610f83e264f31497b4"), (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
    (16, "6ee2a4ca67b054bbfd3315bf85230577"), (31, "2939b0183223fafc1723de4f52c43d35"), (63, "5150d1772f50834a503e069a973fbd7c"),
  ]

  @Test(arguments: vectors)
  func `has the results of the authors' reference code`(_ count: Int, _ expected: String) {
    let hash = SipHash((0..<count).map { UInt8($0) }, key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
    var bytes = StableBytes()
    bytes.append(hash.low)
    bytes.append(hash.high)
    #expect(bytes.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }
}
