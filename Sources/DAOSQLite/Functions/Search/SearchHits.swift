import DAOCriteria

/// The hits of a search in one column of a row, in the order of their words; of those that begin with one word, the first phrase's is
/// first.
struct SearchHits {
  private let call: SearchCall
  private let column: CInt
  /// The phrases that have hits left, in their order.
  private var phrases: [(number: CInt, size: Int, next: SearchCall.PhraseHit)] = []

  /// A phrase in a text.
  struct Hit {
    let phrase: CInt
    /// The number of its first word.
    let word: Int
    /// The number after its last word.
    let end: Int
  }

  private static let bytesPerPhrase = 4

  init(_ call: SearchCall, in column: CInt) throws {
    (self.call, self.column) = (call, column)
    for phrase in 0..<max(0, call.phraseCount) {
      var next = try call.firstHit(ofPhrase: phrase)
      while next.column >= 0, next.column < column { try advance(&next) }
      if next.column == column { phrases.append((phrase, call.size(ofPhrase: phrase), next)) }
    }
  }

  /// The next hit; nil after the last.
  mutating func next() throws -> Hit? {
    guard var first = phrases.indices.first else { return nil }
    for place in phrases.indices.dropFirst() where phrases[place].next.word < phrases[first].next.word { first = place }
    // To compare phrases takes some nanoseconds each.
    try call.work.add(bytes: (phrases.count - 1) * Self.bytesPerPhrase)
    let found = phrases[first]
    var next = found.next
    try advance(&next)
    if next.column == column { phrases[first].next = next } else { phrases.remove(at: first) }
    return Hit(phrase: found.number, word: Int(found.next.word), end: Int(found.next.word) + found.size)
  }

  /// A hit is a step of the query's budget.
  private func advance(_ hit: inout SearchCall.PhraseHit) throws {
    call.advance(&hit)
    try call.work.add(bytes: RunBudget.bytesPerStep)
  }
}
