import GRDBSQLite

extension SearchCall {
  /// The text of a column with marks around the hits.
  /// - Parameter values: the column, and the marks.
  func highlight(_ values: TextFunctions.Values) throws -> [UInt8]? {
    let column = sqlite3_value_int(values?[0])
    guard let text = try text(of: column) else { return nil }
    let marker = try TextMarker(text, HitRuns(SearchHits(self, in: column)), marks: marks(values), maximumLength: maximumLength)
    try showWords(of: text, to: marker)
    try marker.finish()
    return marker.output
  }

  /// The part of a column that shows the most of a search, with marks around the hits.
  /// - Parameter values: the column, the marks, what stands for the rest of the text, and how many words there are.
  func snippet(_ values: TextFunctions.Values) throws -> [UInt8]? {
    let column = sqlite3_value_int(values?[0])
    let ellipsis = Self.argument(values, 3)
    guard let text = try text(of: column) else { return nil }
    let wordCount = try wordCount(of: column)
    let size = max(1, min(Int(sqlite3_value_int(values?[4])), wordCount))
    let start = try startOfSnippet(text, column, size, wordCount)
    let marker = try TextMarker(
      text, HitRuns(SearchHits(self, in: column)), marks: marks(values), words: start...start + size - 1, maximumLength: maximumLength)
    if start > 0 { try marker.append(ellipsis) }
    try showWords(of: text, to: marker)
    // An index that is out of step with the text may have more words.
    if start + size >= wordCount || !marker.isOver { try marker.finish() } else { try marker.append(ellipsis) }
    return marker.output
  }

  private func startOfSnippet(_ text: UnsafeBufferPointer<UInt8>, _ column: CInt, _ size: Int, _ wordCount: Int) throws -> Int {
    var found = try SearchHits(self, in: column)
    var hits: [SearchHits.Hit] = []
    while let hit = try found.next() { hits.append(hit) }
    let finder = SnippetFinder(text, hits, phraseCount: phraseCount, size: size, wordCount: wordCount)
    if !hits.isEmpty { try showWords(of: text, to: finder) }
    return finder.start
  }

  private func marks(_ values: TextFunctions.Values) -> (start: UnsafeBufferPointer<UInt8>, end: UnsafeBufferPointer<UInt8>) {
    (Self.argument(values, 1), Self.argument(values, 2))
  }

  /// An argument as text; empty for null.
  private static func argument(_ values: TextFunctions.Values, _ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let value = values?[index], let text = sqlite3_value_text(value) else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
  }
}
