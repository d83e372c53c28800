/// The header of a database file, its first 100 bytes (sqlite.org/fileformat2.html, section 1.3).
struct SeedHeader {
  static let size = 100
  /// The first bytes of every database.
  static let magic = Array("SQLite format 3\0".utf8)
  /// The encoding that a store has to have.
  static let utf8 = "UTF-8"

  let pageSize: Int64
  /// Pages of the whole file; nil where an old writer left it out of date.
  let pageCount: Int64?
  let isWAL: Bool
  /// How text is stored, as `PRAGMA encoding` names it.
  let encoding: String
  let userVersion: Int32
  let applicationID: Int32
  /// The change counter, the number of pages, the schema cookie, `user_version` and `application_id`, which move when the file is changed.
  let identity: [UInt8]

  /// Nil where the bytes are not the beginning of a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
    func number(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    let declared = Int64(bytes[16]) << 8 | Int64(bytes[17])
    pageSize = declared == 1 ? 65536 : declared
    guard 512...65536 ~= pageSize, pageSize & (pageSize - 1) == 0 else { return nil }
    isWAL = bytes[18] == 2 || bytes[19] == 2
    pageCount = number(at: 24) == number(at: 92) && number(at: 28) > 0 ? Int64(number(at: 28)) : nil
    // As SQLite reads it: 0, which an empty database has, stands for UTF-8.
    encoding =
      switch number(at: 56) & 3 {
      case 2: "UTF-16le"
      case 3: "UTF-16be"
      default: Self.utf8
      }
    identity = [24, 28, 40, 60, 68].flatMap { bytes[$0..<$0 + 4] }
    userVersion = Int32(bitPattern: number(at: 60))
    applicationID = Int32(bitPattern: number(at: 68))
  }
}
