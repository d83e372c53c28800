import GRDBSQLite

/// A call of a search function: the row that it is about, as FTS5 shows it. It ends with the call.
struct SearchCall {
  private let api: UnsafePointer<Fts5ExtensionApi>
  private let row: OpaquePointer
  private let context: OpaquePointer
  /// The work that the call has done so far.
  let work: FunctionWork

  /// A code of SQLite's.
  struct Failure: Error {
    let code: CInt
  }

  init?(_ api: UnsafePointer<Fts5ExtensionApi>?, _ row: OpaquePointer?, _ context: OpaquePointer?) {
    guard let api, let row, let context else { return nil }
    (self.api, self.row, self.context, work) = (api, row, context, FunctionWork(context))
  }

  /// Replies with a body's text; null where it has none.
  func reply(_ body: () throws -> [UInt8]?) {
    do {
      let text = try body()
      try work.finish()
      text?.withUnsafeBufferPointer { TextFunctions.reply(context, $0) }
    } catch let failure as Failure {
      sqlite3_result_error_code(context, failure.code)
    } catch { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
  }

  /// How long a text may be on this connection.
  var maximumLength: Int { Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1)) }

  // MARK: The row

  /// The text of a column; nil for null. It stays where it is until the call ends.
  func text(of column: CInt) throws -> UnsafeBufferPointer<UInt8>? {
    guard 0..<max(0, api.pointee.xColumnCount?(row) ?? 0) ~= column else { throw Failure(code: SQLITE_RANGE) }
    var (text, count): (UnsafePointer<CChar>?, CInt) = (nil, 0)
    try check(api.pointee.xColumnText?(row, column, &text, &count))
    guard let text else { return nil }
    return UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: Int(count))
  }

  /// How many words the index has of a column.
  func wordCount(of column: CInt) throws -> Int {
    var count: CInt = 0
    try check(api.pointee.xColumnSize?(row, column, &count))
    return Int(count)
  }

  /// How many phrases the search has.
  var phraseCount: CInt { api.pointee.xPhraseCount?(row) ?? 0 }

  /// How many words a phrase has.
  func size(ofPhrase phrase: CInt) -> Int { Int(api.pointee.xPhraseSize?(row, phrase) ?? 0) }

  /// The first hit of a phrase, whose column is below 0 where there is none.
  func firstHit(ofPhrase phrase: CInt) throws -> PhraseHit {
    var hit = PhraseHit()
    try check(api.pointee.xPhraseFirst?(row, phrase, &hit.rest, &hit.column, &hit.word))
    return hit
  }

  /// Goes to a phrase's next hit.
  func advance(_ hit: inout PhraseHit) {
    guard let next = api.pointee.xPhraseNext else {
      hit.column = -1
      return
    }
    next(row, &hit.rest, &hit.column, &hit.word)
  }

  /// The position of a found phrase.
  struct PhraseHit {
    fileprivate var rest = Fts5PhraseIter()
    fileprivate(set) var column: CInt = -1
    /// The number of its first word in the column.
    fileprivate(set) var word: CInt = 0
  }

  private func check(_ code: CInt?) throws {
    if let code, code == SQLITE_OK { return }
    throw Failure(code: code ?? SQLITE_ERROR)
  }

  // MARK: Words

  /// Shows a visitor each word of a text. The limits are checked once in 64 kB, with the word that is seen then: a tokenizer checks none.
  func showWords(of text: UnsafeBufferPointer<UInt8>, to visitor: some WordVisitor) throws {
    guard let tokenize = api.pointee.xTokenize, let address = text.baseAddress else { return }
    var reading = Reading(visitor: visitor, work: work)
    let characters = UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self)
    let code = withUnsafeMutablePointer(to: &reading) { reading in
      tokenize(row, characters, CInt(text.count), reading) { reading, flags, _, _, start, end in
        guard let reading = reading?.assumingMemoryBound(to: Reading.self) else { return SQLITE_ERROR }
        // One word may have several forms.
        if flags & FTS5_TOKEN_COLOCATED != 0 { return SQLITE_OK }
        return reading.pointee.show(Int(start), Int(end))
      }
    }
    if let error = reading.error { throw error }
    if reading.isOver { return }
    try check(code)
    try reading.count(to: text.count)
  }

  private struct Reading {
    let visitor: any WordVisitor
    let work: FunctionWork
    private var counted = 0
    private(set) var isOver = false
    private(set) var error: (any Error)?

    init(visitor: any WordVisitor, work: FunctionWork) { (self.visitor, self.work) = (visitor, work) }

    mutating func show(_ start: Int, _ end: Int) -> CInt {
      do {
        try count(to: end)
        isOver = try !visitor.visit(start, end)
        return isOver ? SQLITE_DONE : SQLITE_OK
      } catch {
        self.error = error
        return SQLITE_INTERRUPT
      }
    }

    mutating func count(to end: Int) throws {
      try work.add(bytes: end - counted)
      counted = max(counted, end)
    }
  }
}
