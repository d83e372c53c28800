import DAOCriteria
import DAOSQL
import GRDB
import GRDBSQLite

/// Functions of text that mean what Swift's do, where SQLite's own know ASCII letters alone or end at a NUL:
/// - `dao_lower(text)`, `dao_upper(text)`: `lowercased()` and `uppercased()`;
/// - `dao_trim(text)`: without spaces at both ends;
/// - `dao_length(text)`: the number of Unicode scalars.
///
/// Each is null for a value that is no text. Given to SQLite directly: GRDB's would make a `String` of each text.
enum TextFunctions {
  static func install(in database: Database) {
    func add(_ name: String, _ count: Int32, _ function: @escaping @convention(c) (Context, Int32, Values) -> Void) {
      sqlite3_create_function_v2(
        database.sqliteConnection, name, count, ConnectionFunctions.flags, nil, function, nil, nil, nil)
    }
    add("dao_lower", 1) { context, _, values in TextFunctions.map(context, values, letters: 0x41...0x5A) { $0.lowercased() } }
    add("dao_upper", 1) { context, _, values in TextFunctions.map(context, values, letters: 0x61...0x7A) { $0.uppercased() } }
    add("dao_trim", 1) { context, _, values in
      guard let text = TextFunctions.text(values, 0), FunctionCharge.take(bytes: text.count, context) else { return }
      FunctionCharge.untilLimit(context) {
        TextFunctions.reply(context, UnsafeBufferPointer(rebasing: text[try TextFunctions.withoutSpaces(text)]))
      }
    }
    add("dao_length", 1) { context, _, values in
      guard let text = TextFunctions.text(values, 0), FunctionCharge.take(bytes: text.count, context) else { return }
      FunctionCharge.untilLimit(context) {
        var length = 0
        try TextFunctions.inPieces(text) { length += text[$0].lazy.filter { $0 & 0xC0 != 0x80 }.count }
        sqlite3_result_int64(context, Int64(length))
      }
    }
  }

  typealias Context = OpaquePointer?
  typealias Values = UnsafeMutablePointer<OpaquePointer?>?

  /// An argument's UTF-8; nil for a value that is no text.
  static func text(_ values: Values, _ index: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let value = values?[index], sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else { return nil }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
  }

  /// An argument's text; empty for a value that is no text.
  static func string(_ values: Values, _ index: Int) -> String { text(values, index).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// Replies with the text mapped; where it is ASCII, with the letters that have to change in the other case.
  private static func map(_ context: Context, _ values: Values, letters: ClosedRange<UInt8>, _ change: (String) -> String) {
    guard let text = text(values, 0), FunctionCharge.take(bytes: text.count, context) else { return }
    FunctionCharge.untilLimit(context) {
      var (isASCII, changes) = (true, false)
      try inPieces(text) { piece in
        for byte in text[piece] {
          if byte >= 0x80 { isASCII = false }
          if letters.contains(byte) { changes = true }
        }
      }
      guard isASCII else { return try mapPieces(text, change).withUnsafeBufferPointer { reply(context, $0) } }
      guard changes else { return sqlite3_result_value(context, values?[0]) }
      try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { mapped in
        try inPieces(text) { for index in $0 { mapped[index] = letters.contains(text[index]) ? text[index] ^ 0x20 : text[index] } }
        reply(context, UnsafeBufferPointer(mapped))
      }
    }
  }

  /// The number of bytes of a text that a function reads between two checks of the limits.
  static let pieceLength = 1 << 16

  /// Runs a body for one piece of a text after the other, and checks the limits between them.
  private static func inPieces(_ text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void) throws {
    for start in stride(from: 0, to: text.count, by: pieceLength) {
      if start > 0 { try ConnectionLimits.goOn() }
      body(start..<min(start + pieceLength, text.count))
    }
  }

  /// Returns the range of a text without the spaces at its ends.
  private static func withoutSpaces(_ text: UnsafeBufferPointer<UInt8>) throws -> Range<Int> {
    var (start, end) = (0, text.count)
    while start < end, text[start] == UInt8(ascii: " ") {
      start += 1
      if start.isMultiple(of: pieceLength) { try ConnectionLimits.goOn() }
    }
    while end > start, text[end - 1] == UInt8(ascii: " ") {
      end -= 1
      if end.isMultiple(of: pieceLength) { try ConnectionLimits.goOn() }
    }
    return start..<end
  }

  /// A text mapped in pieces, between which the limits are checked. Each scalar is mapped by itself, whatever stands beside it.
  private static func mapPieces(_ text: UnsafeBufferPointer<UInt8>, _ change: (String) -> String) throws -> [UInt8] {
    var mapped: [UInt8] = []
    mapped.reserveCapacity(text.count)
    var start = text.startIndex
    while start < text.endIndex {
      var end = min(start + pieceLength, text.endIndex)
      while end < text.endIndex, text[end] & 0xC0 == 0x80 { end += 1 }
      mapped += change(String(decoding: text[start..<end], as: UTF8.self)).utf8
      start = end
      if start < text.endIndex { try ConnectionLimits.goOn() }
    }
    return mapped
  }

  static func reply(_ context: Context, _ text: UnsafeBufferPointer<UInt8>) {
    // A text without an address would be null.
    guard let address = text.baseAddress else { return sqlite3_result_text64(context, "", 0, transient, UInt8(SQLITE_UTF8)) }
    let characters = UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self)
    sqlite3_result_text64(context, characters, UInt64(text.count), transient, UInt8(SQLITE_UTF8))
  }
}
