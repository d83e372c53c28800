import Foundation

/// A cursor in the rows of a query, to continue from: ``Page/next`` and ``Page/previous``.
///
/// ```swift
/// let token = try PageToken(request.query["after"])          // its text, safe in a URL
/// let page = try zones.page(criteria, size: 20, after: token)
/// ```
///
/// It holds the values that the page's last row (or first) had in the order's terms and in the key, so that rows inserted, deleted or
/// changed elsewhere do not move it: the row itself may be deleted. It fits the criteria that it was made with: the same entity, filter and
/// its values, scope and orders; the size may change from page to page. A filter or scope over the time of day needs a time that stays the
/// same from page to page.
///
/// The text is checked, and any change to it is refused. That guards against accidents and edits by hand, not against somebody who reads
/// this library's source: a forged token can only name another position among the same rows, since the criteria and the scope alone
/// determine the rows. The values in it can be read by whoever has the token; don't hand out tokens of orders over values that must stay
/// hidden.
public struct PageToken: Sendable {
  package let values: [StoredValue]
  private let origin: Origin

  /// The query of the cursor, or its fingerprint. Computing a fingerprint takes a fifth of the time of a page, so only tokens that are
  /// written as text get one.
  private enum Origin {
    case criteria(Criteria, EntityTarget)
    case fingerprint(UInt64)
  }

  /// The position in a query of a row with these values of the order's terms.
  package init(_ values: [StoredValue], in criteria: Criteria, of target: EntityTarget) {
    self.values = values
    origin = .criteria(criteria, target)
  }

  /// A position in the criteria that has this fingerprint.
  init(_ values: [StoredValue], fingerprint: UInt64) {
    self.values = values
    origin = .fingerprint(fingerprint)
  }

  /// The fingerprint of the criteria.
  var fingerprint: UInt64 {
    switch origin {
    case .criteria(let criteria, let target): criteria.fingerprint(in: target)
    case .fingerprint(let fingerprint): fingerprint
    }
  }

  /// The values, for a query with so many orders.
  /// - Throws: ``DAOError/pageToken(_:)`` where the token is of another.
  func place(in criteria: Criteria, of target: EntityTarget, orders count: Int) throws -> [StoredValue] {
    guard values.count == count, isPlainly(in: criteria, target) || fingerprint == criteria.fingerprint(in: target) else {
      throw DAOError.pageToken(.otherCriteria)
    }
    return values
  }

  /// Whether a query is plainly the one that the token was made in; others may still have the same fingerprint.
  private func isPlainly(in criteria: Criteria, _ target: EntityTarget) -> Bool {
    guard case .criteria(let own, let ownTarget) = origin else { return false }
    return own.filter == criteria.filter && own.orders == criteria.orders && ownTarget.scope == target.scope
      && ownTarget.entity == target.entity
  }
}

extension PageToken: Hashable {
  /// Whether both are the same position in the same criteria.
  public static func == (left: PageToken, right: PageToken) -> Bool { left.values == right.values && left.fingerprint == right.fingerprint }

  /// Feeds the position and the criteria's fingerprint.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
    hasher.combine(fingerprint)
  }
}

// MARK: Text

extension PageToken: CustomStringConvertible {
  /// The token in letters, digits, `-` and `_`.
  ///
  /// They spell, as base64url without padding: the version; the fingerprint; the number of values; the values; a SipHash of all that.
  /// Orders over long texts make long tokens: it is four thirds as long as the values.
  public var text: String {
    var writer = StableBytes()
    writer.append(Self.version)
    writer.append(fingerprint)
    writer.append(UInt8(truncatingIfNeeded: values.count))
    for value in values { writer.append(value) }
    let hash = SipHash(writer.bytes, key: Self.key)
    writer.append(hash.low)
    writer.append(hash.high)
    return Self.base64(writer.bytes)
  }

  /// ``text``.
  public var description: String { text }

  /// Reads a token from its text.
  ///
  /// It takes time and memory in proportion to the text, whose length the receiver has to limit.
  /// - Throws: ``DAOError/pageToken(_:)``.
  public init(_ text: String) throws {
    guard let bytes = Self.bytes(text), let version = bytes.first else { throw DAOError.pageToken(.notAToken) }
    guard version == Self.version else { throw DAOError.pageToken(.otherVersion) }
    let content = bytes.dropLast(16)
    let hash = SipHash(content, key: Self.key)
    var end = StableBytesReader(bytes.suffix(16))
    var reader = StableBytesReader(content.dropFirst())
    guard hash.low == end.number(), hash.high == end.number(), let fingerprint = reader.number(), let count = reader.byte() else {
      throw DAOError.pageToken(.notAToken)
    }
    var values: [StoredValue] = []
    while values.count < count, let value = reader.value() { values.append(value) }
    guard reader.isAtEnd, values.count == count else { throw DAOError.pageToken(.notAToken) }
    self.init(values, fingerprint: fingerprint)
  }

  /// The first byte of a token. Another form of token, or of fingerprint, is another version.
  static let version: UInt8 = 3
  // Any will do; it only has to stay.
  static let key: (UInt64, UInt64) = (0x7377_6966_742D_6461, 0x6F20_7061_6765_2031)

  private static func base64(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString().utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return String(decoding: Array(text), as: UTF8.self)
  }

  /// The bytes that a text spells. One that spells them in another way (with padding, with bits set that stand for nothing) spells none.
  private static func bytes(_ text: String) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let plain = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    guard let data = Data(base64Encoded: String(decoding: plain, as: UTF8.self) + padding) else { return nil }
    let bytes = [UInt8](data)
    return base64(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
  }
}

extension PageToken: Codable {
  /// Reads the text.
  /// - Throws: ``DAOError/pageToken(_:)`` for a text that is no token.
  public init(from decoder: any Decoder) throws { try self.init(try decoder.singleValueContainer().decode(String.self)) }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
