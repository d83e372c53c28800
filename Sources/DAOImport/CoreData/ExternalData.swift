import DAOKit
import Foundation

/// The files in which Core Data keeps data of attributes that allow external storage.
///
/// The column then has a byte before the data: 1 and the data themselves, or 2 and the name of a file, which ends with a NUL.
struct ExternalData: Sendable {
  private let folder: URL

  /// The files of a store: in `.Model_SUPPORT/_EXTERNAL_DATA` beside `Model.sqlite`.
  init(of store: URL) {
    // A link to a store leads to the files beside the store.
    let store = store.absoluteURL.resolvingSymlinksInPath()
    folder = store.deletingLastPathComponent().appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
      .appendingPathComponent("_EXTERNAL_DATA")
  }

  /// The data that stored bytes stand for.
  /// - Parameter isGuarded: whether bytes that name a file which is there are refused as plain data.
  /// - Throws: ``ValueProblem``.
  func data(_ bytes: Data, _ form: CoreDataMapping.DataForm?, isGuarded: Bool) throws -> Data {
    guard form == .external else {
      if form == nil, isGuarded, let name = Self.fileName(bytes), isThere(name) {
        throw ValueProblem("names the file \(name) of external data; say so with data: [… : .external]")
      }
      return bytes
    }
    switch bytes.first {
    case nil: return bytes
    case 1: return Data(bytes.dropFirst())
    default: break
    }
    guard let name = Self.fileName(bytes) else {
      throw ValueProblem(
        "expects the byte 1 and data, or 2 and the name of a file, as externally stored data have them; the row has others")
    }
    do { return try Data(contentsOf: folder.appendingPathComponent(name)) } catch {
      throw ValueProblem(
        isThere(name) ? "is in the file \(name), which can't be read: \(error)" : "is in the file \(name), which is not in \(folder.path)")
    }
  }

  private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path) }

  /// The name of a file in stored bytes: a UUID, so that no other file can be meant.
  private static func fileName(_ bytes: Data) -> String? {
    guard bytes.first == 2 else { return nil }
    let text = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return UUID(uuidString: text) == nil ? nil : text
  }
}
