/// Reads the last bytes of a rollback journal (sqlite.org/fileformat2.html, section 3).
enum RollbackJournal {
  /// The file that an unfinished transaction's journal names as its super-journal. Playing the journal back deletes that file, wherever it
  /// is.
  ///
  /// The sum of the name's bytes, which SQLite compares, is left out: it depends on the compiler's `char`, and so on the machine.
  /// - Parameters:
  ///   - size: the journal's size in bytes.
  ///   - read: reads so many of its bytes from an offset; fewer where there are fewer.
  /// - Returns: nil for a journal that names none, or that is done with: it begins with zeros then.
  static func superJournal(size: Int64, read: (_ count: Int, _ offset: Int64) throws -> [UInt8]) rethrows -> String? {
    guard size > trailer, try read(1, 0).first ?? 0 != 0 else { return nil }
    let end = try read(Int(trailer), size - trailer)
    guard end.count == trailer, end.suffix(magic.count) == magic else { return nil }
    let length = end.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard 1...size - trailer ~= length else { return nil }
    let name = try read(Int(min(length, 4096)), size - trailer - length)
    return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The name's length, the sum of its bytes, and the magic number.
  private static let trailer: Int64 = 16
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
}
