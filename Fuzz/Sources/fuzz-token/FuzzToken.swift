import CFuzzer
import Foundation

@testable import DAOCriteria
@testable import DAOKit

/// Feeds the reader of page tokens with what libFuzzer makes up: as a token's text, and, since no such text has the right hash by chance,
/// as the values of a token whose hash is right.
@main
struct FuzzToken {
  static func main() {
    // Else every text would be refused, and nothing be found.
    let place = PageToken([.null], fingerprint: criteria.fingerprint(in: EntityTarget(entity)))
    guard signed([1, 0]) == place.text else {
      fatalError("a token is no longer made as it is here")
    }
    var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
    exit(LLVMFuzzerRunDriver(&count, &arguments) { start, count in test(start, count) })
  }

  /// Whether to crash on purpose, of something that the corpus does not have, to show that a crash is found.
  static let isCrashPlanted = ProcessInfo.processInfo.environment["PLANTED_CRASH"] != nil

  static let entity = EntityDescription(
    "sample", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("text", .text, optional: true), Attribute("real", .real, optional: true),
      Attribute("any", .any, optional: true), Attribute("date", .date(.iso8601), optional: true),
    ])

  static let criteria = {
    var criteria = Criteria()
    criteria.orders = ["text", "real", "any", "date"].map { Criteria.Ordering(.field(FieldPath($0)), nulls: .last) }
    return criteria
  }()

  /// The same rows, few and full of nulls, in both stores.
  static let stores: [any EntityStore] = {
    do {
      let stores: [any EntityStore] = [
        try EvaluatorStore([entity]), try DAOFactory(store: .inMemory(), describedBy: [entity]).store,
      ]
      let rows = try [["text": "a", "real": 0.5], ["any": 1], ["text": "b", "any": "x"]].map { try DynamicEntity(entity, $0) }
      for store in stores { _ = try store.insert(rows, in: EntityTarget(entity)) }
      return stores
    } catch { fatalError("no store: \(error)") }
  }()
}

/// What holds of every text: it is refused by a typed error, or it is a token with just this text, from which both stores go on alike, or
/// refuse to by a typed error. The name is the one that libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = token(String(decoding: bytes, as: UTF8.self))
  guard let token = token(signed(bytes)) else { return 0 }
  if FuzzToken.isCrashPlanted, case .text(let text)? = token.values.first, text.utf8.starts(with: [0]) { fatalError("the planted crash") }
  let pages = FuzzToken.stores.map { page(after: token, in: $0) }
  guard pages[0] == pages[1] else { fatalError("the stores go on from different places: \(pages)") }
  return 0
}

/// The token that a text is, if it is one.
private func token(_ text: String) -> PageToken? {
  do {
    let token = try PageToken(text)
    guard token.text == text else { fatalError("a token with two texts: \(text)") }
    return token
  } catch DAOError.pageToken { return nil } catch { fatalError("an error that is not meant for this: \(error)") }
}

/// The text of a token of the criteria's with these bytes for its values.
private func signed(_ values: [UInt8]) -> String {
  var writer = StableBytes()
  writer.append(PageToken.version)
  writer.append(FuzzToken.criteria.fingerprint(in: EntityTarget(FuzzToken.entity)))
  for byte in values { writer.append(byte) }
  let hash = SipHash(writer.bytes, key: PageToken.key)
  writer.append(hash.low)
  writer.append(hash.high)
  return Data(writer.bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
}

/// The keys of the page after a token, or nil where the store refuses it.
private func page(after token: PageToken, in store: any EntityStore) -> [Scalar]? {
  let dao = RuntimeDAO<DynamicEntity>(DAOContext(store, entity: FuzzToken.entity))
  do { return try dao.page(SearchCriteria(FuzzToken.criteria), size: 2, after: token).items.map { $0.values[0] } } catch DAOError.pageToken
  {
    return nil
  } catch DAOError.invalidCriteria { return nil } catch { fatalError("an error that is not meant for this: \(error)") }
}
