import Foundation
import TestCases
import Testing

@testable import DAOCriteria

@Suite("Page tokens")
struct PageTokenTests {
  static let values: [StoredValue] = [
    .null, .integer(.min), .integer(-1), .real(.infinity), .real(-0.5), .text(""), .text("NULL"), .text("é\u{301}\0😀"), .blob(Data()),
    .blob(Data([0, 255])),
  ]
  static let token = PageToken(values, fingerprint: 0x0123_4567_89AB_CDEF)

  @Test func `its text is safe in a URL, the same in every process, and read back with every value as it was`() throws {
    let text = Self.token.text
    #expect(text.utf8.allSatisfy { $0 == 45 || $0 == 95 || 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 })
    #expect(try PageToken(text) == Self.token)
    for values in Self.values.indices.map({ Array(Self.values[..<$0]) }) {
      let token = PageToken(values, fingerprint: .max)
      #expect(try PageToken(token.text).values == values)
    }
    // Tokens outlive the program that made them: another text here needs another version.
    #expect(PageToken([.null, .integer(7), .text("a")], fingerprint: 1).text == "AwEAAAAAAAAAAwABBwAAAAAAAAADAQAAAGFhivQr9PRm5-UNXRN8T8pB")
  }

  @Test func `is coded as its text`() throws {
    let data = try JSONEncoder().encode([Self.token])
    #expect(data == Data("[\"\(Self.token.text)\"]".utf8))
    #expect(try JSONDecoder().decode([PageToken].self, from: data) == [Self.token])
    #expect(problem { _ = try JSONDecoder().decode([PageToken].self, from: Data("[\"x\"]".utf8)) } == .notAToken)
  }

  @Test func `any other character in any place, and any character more or less, is refused`() {
    let text = Array(Self.token.text.utf8)
    for place in text.indices {
      // One bit, one letter, and what has no place in a token.
      for byte in (0..<7).map({ text[place] ^ 1 << $0 }) + [text[place] &+ 1, text[place] &- 1] + Array("A9-_+/=. é".utf8)
      where byte != text[place] {
        var changed = text
        changed[place] = byte
        #expect(isRefused(changed), "\(byte) at \(place)")
      }
      var shorter = text
      shorter.remove(at: place)
      #expect(isRefused(shorter) && isRefused(Array(text[..<place])), "without \(place)")
      var longer = text
      longer.insert(text[place], at: place)
      #expect(isRefused(longer), "\(place) twice")
    }
    for end in ["=", "==", "A", "AA", "AAA", "AAAA", "\n", "\0", " "] { #expect(isRefused(text + Array(end.utf8)), "\(end) at the end") }
  }

  @Test func `any bit of its bytes matters`() throws {
    let bytes = try #require(Self.bytes(Self.token.text))
    for bit in 0..<(8 * bytes.count) {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(isRefused(Array(Self.text(changed).utf8)), "bit \(bit)")
    }
  }

  @Test func `a text of another version says so, other texts that they are none`() throws {
    var bytes = try #require(Self.bytes(Self.token.text))
    for version: UInt8 in [0, 1, 2, 4, 255] {
      bytes[0] = version
      #expect(problem { _ = try PageToken(Self.text(bytes)) } == .otherVersion)
    }
    for text in ["", "A", "AQ", "nil", "null", "hello", "é", "AQ==", String(repeating: "A", count: 1 << 21)] {
      #expect(problem { _ = try PageToken(text) } != nil, "\(text.prefix(10))")
    }
    #expect(problem { _ = try PageToken("") } == .notAToken && problem { _ = try PageToken("AwAA") } == .notAToken)
    #expect("\(DAOError.pageToken(.otherCriteria))" == "the page token does not belong to these criteria")
  }

  @Test func `a forged token with lengths, kinds or texts that can't be is refused`() {
    func forged(_ content: [UInt8]) -> [UInt8] {
      let bytes = [3] + content
      var end = StableBytes()
      let hash = SipHash(bytes, key: PageToken.key)
      end.append(hash.low)
      end.append(hash.high)
      return Array(Self.text(bytes + end.bytes).utf8)
    }
    let fingerprint = [UInt8](repeating: 7, count: 8)
    #expect(!isRefused(forged(fingerprint + [1, 0])))
    let bad: [[UInt8]] = [
      [], [1], [1, 0, 0], [2, 0], [0, 0], [255], [1, 5], [1, 1, 0], [1, 3, 255, 255, 255, 255], [1, 3, 1, 0, 0, 0], [1, 4, 2, 0, 0, 0, 1],
      // Half a character, and NaN.
      [1, 3, 1, 0, 0, 0, 0xC3], [1, 2, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F],
    ]
    for content in bad { #expect(isRefused(forged(fingerprint + content)), "\(content)") }
    #expect(isRefused(forged([])) && isRefused(forged([1, 2, 3])))
    #expect(isRefused(forged(fingerprint + [255] + [UInt8](repeating: 0, count: 1000))))
  }

  @Test func `a token is bound to entity, filter with its values, scope, orders and their types, not to size or projections`() throws {
    func entity(_ name: String = "e", table: String = "t", a: AttributeType = .integer) -> EntityDescription {
      EntityDescription(
        name, table: table, key: .assigned(["k"]),
        attributes: [Attribute("k", .text), Attribute("a", a, optional: true), Attribute("b", .text)])
    }
    let (a, k) = (Criteria.Term.field(FieldPath("a")), Criteria.Term.field(FieldPath("k")))
    func criteria(_ change: (inout Criteria) -> Void = { _ in }) -> Criteria {
      var criteria = Criteria()
      criteria.filter = .compare(a, .greater, .value(1))
      criteria.orders = [Criteria.Ordering(a)]
      change(&criteria)
      return criteria
    }
    let target = EntityTarget(entity())
    let all: [(Criteria, EntityTarget)] = [
      (criteria(), target), (criteria { $0.filter = .compare(a, .greater, .value(2)) }, target),
      (criteria { $0.filter = .compare(a, .greater, .value(1.0)) }, target), (criteria { $0.filter = .constant(true) }, target),
      (criteria { $0.filter = .compare(a, .equal, .value(.null)) }, target),
      (criteria { $0.filter = .compare(a, .equal, .value("NULL")) }, target),
      (criteria { $0.filter = .among(a, [1, 2]) }, target), (criteria { $0.filter = .among(a, [12]) }, target),
      (criteria { $0.filter = .all([.isNull(a), .isNull(.field(FieldPath("b")))]) }, target),
      (criteria { $0.filter = .any([.isNull(a), .isNull(.field(FieldPath("b")))]) }, target),
      (criteria { $0.filter = .not(.isNull(a)) }, target), (criteria { $0.filter = .isNull(a) }, target),
      (criteria { $0.filter = .some(FieldPath("ab.c"), .isNull(a)) }, target),
      (criteria { $0.filter = .some(FieldPath("a.bc"), .isNull(a)) }, target),
      (criteria { $0.orders = [Criteria.Ordering(a, .descending)] }, target),
      (criteria { $0.orders = [Criteria.Ordering(a, nulls: .last)] }, target),
      (criteria { $0.orders = [Criteria.Ordering(a, nulls: .first), Criteria.Ordering(k, .descending)] }, target),
      (criteria { $0.orders = [Criteria.Ordering(a, .descending, nulls: .first), Criteria.Ordering(k, .descending)] }, target),
      (criteria { $0.orders = [Criteria.Ordering(a, nulls: .last), Criteria.Ordering(k, .descending)] }, target),
      (criteria { $0.orders = [] }, target), (criteria { $0.orders.append(Criteria.Ordering(.field(FieldPath("b")))) }, target),
      (criteria { $0.orders = [Criteria.Ordering(.function(.abs, [a]))] }, target), (criteria(), EntityTarget(entity("f"))),
      (criteria(), EntityTarget(entity(table: "u"))), (criteria(), EntityTarget(entity(a: .decimal(.scaled(2))))),
      (criteria(), EntityTarget(entity(a: .decimal(.scaled(3))))),
      (criteria(), EntityTarget(entity(), scope: .compare(a, .equal, .value(1)))),
      (criteria(), EntityTarget(entity(), scope: .compare(a, .equal, .value(2)))),
    ]
    for (i, left) in all.enumerated() {
      for (j, right) in all.enumerated() {
        #expect((left.0.fingerprint(in: left.1) == right.0.fingerprint(in: right.1)) == (i == j), "\(i) and \(j)")
      }
    }
    let limited = criteria { ($0.limit, $0.columns) = (3, [Criteria.Column(a)]) }
    #expect(limited.fingerprint(in: target) == criteria().fingerprint(in: EntityTarget(entity())))
    // The same in every process.
    #expect(criteria().fingerprint(in: target) == 6_299_328_109_750_679_964)
    let values: [StoredValue] = [.integer(1), .text("k")]
    func made(_ values: [StoredValue], in criteria: Criteria) -> PageToken {
      PageToken(values, in: criteria, of: target)
    }
    // A token that was handed on as it is, and one that left as text.
    for token in [made(values, in: criteria()), PageToken(values, fingerprint: criteria().fingerprint(in: target))] {
      for (other, otherTarget) in all.dropFirst() {
        #expect(problem { _ = try token.place(in: other, of: otherTarget, orders: 2) } == .otherCriteria)
      }
      for same in [criteria(), limited] {
        #expect(try token.place(in: same, of: EntityTarget(entity()), orders: 2) == values)
        #expect(problem { _ = try token.place(in: same, of: target, orders: 3) } == .otherCriteria)
      }
      #expect(
        token == made(values, in: limited) && token.hashValue == made(values, in: limited).hashValue)
      #expect(token != made(values, in: all[1].0) && token != made([.null], in: criteria()))
    }
  }

  @Test func `the values of an in count in any order, as a set has them; all of them, and each as often as it is there`() throws {
    let target = EntityTarget(
      EntityDescription("e", key: .assigned(["k"]), attributes: [Attribute("k", .text), Attribute("a", .any, optional: true)]))
    func among(_ values: [Scalar]) -> Criteria {
      var criteria = Criteria()
      criteria.filter = .among(.field(FieldPath("a")), values)
      return criteria
    }
    let values: [Scalar] = (0..<100).map { .integer($0) } + ["a", "b", .null, 1.5]
    let made = PageToken([.text("k")], in: among(values), of: target)
    var random = RandomSource(seed: TestCases.seed)
    for other in [values.reversed(), values.shuffled(using: &random)] {
      #expect(try made.place(in: among(other), of: target, orders: 1) == [.text("k")])
      #expect(try PageToken(made.text).place(in: among(other), of: target, orders: 1) == [.text("k")])
    }
    for other in [Array(values.dropLast()), values + [7], values.dropLast() + [2.5], []] {
      #expect(problem { _ = try PageToken(made.text).place(in: among(other), of: target, orders: 1) } == .otherCriteria)
    }
  }

  // MARK: Help

  private func isRefused(_ text: [UInt8]) -> Bool { problem { _ = try PageToken(String(decoding: text, as: UTF8.self)) } != nil }

  private func problem(_ body: () throws -> Void) -> PageToken.Problem? {
    do { try body() } catch DAOError.pageToken(let problem) { return problem } catch { Issue.record(error) }
    return nil
  }

  /// Base64url, by another way than the token's own.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func text(_ bytes: [UInt8]) -> String {
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let sixes = stride(from: 0, to: bits.count, by: 6).map { start in
      (0..<6).reduce(0) { $0 << 1 | Int(start + $1 < bits.count ? bits[start + $1] : 0) }
    }
    return String(decoding: sixes.map { alphabet[$0] }, as: UTF8.self)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let sixes = text.utf8.compactMap { byte in alphabet.firstIndex(of: byte) }
    guard sixes.count == text.utf8.count else { return nil }
    let bits = sixes.flatMap { six in (0..<6).map { UInt8(six >> (5 - $0) & 1) } }
    return (0..<bits.count / 8).map { byte in (0..<8).reduce(UInt8(0)) { $0 << 1 | bits[8 * byte + $1] } }
  }
}
