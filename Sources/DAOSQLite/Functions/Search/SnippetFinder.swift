import GRDBSQLite

/// Finds the part of a text that shows the most of a search, as FTS5's `snippet` does: a phrase counts 1000, its further hits 1 each, and a
/// part that begins with a sentence 100, or 120 with the text. Of equal ones the first counts.
final class SnippetFinder: WordVisitor {
  private let text: UnsafeBufferPointer<UInt8>
  private let hits: [SearchHits.Hit]
  private let size: Int
  private let wordCount: Int
  /// The number of the word that is seen next, and of the last that began a sentence.
  @exclusivity(unchecked) private var number = 0
  @exclusivity(unchecked) private var sentence: Int?
  @exclusivity(unchecked) private var nextHit = 0
  @exclusivity(unchecked) private var fromHit: Window
  @exclusivity(unchecked) private var fromSentence: Window
  @exclusivity(unchecked) private var bestScore = 0
  /// The number of the word with which the best part begins.
  @exclusivity(unchecked) private(set) var start = 0

  /// - Parameters:
  ///   - size: how many words are shown.
  ///   - wordCount: how many the text has.
  init(_ text: UnsafeBufferPointer<UInt8>, _ hits: [SearchHits.Hit], phraseCount: CInt, size: Int, wordCount: Int) {
    (self.text, self.hits, self.size, self.wordCount) = (text, hits, size, wordCount)
    fromHit = Window(phraseCount)
    fromSentence = fromHit
  }

  func visit(_ start: Int, _ end: Int) throws -> Bool {
    if number == 0 || isAfterSentence(start) { sentence = number }
    while nextHit < hits.count, hits[nextHit].word <= number {
      try rate(hits[nextHit])
      nextHit += 1
    }
    number += 1
    return nextHit < hits.count
  }

  /// Whether blanks stand before a byte, and before those the end of a sentence.
  private func isAfterSentence(_ start: Int) -> Bool {
    var place = start
    while place > 0, text[place - 1] == 0x20 || text[place - 1] == 0x09 || text[place - 1] == 0x0A || text[place - 1] == 0x0D { place -= 1 }
    return place < start && place > 0 && (text[place - 1] == UInt8(ascii: ".") || text[place - 1] == UInt8(ascii: ":"))
  }

  private func rate(_ hit: SearchHits.Hit) throws {
    // The index is out of step with the text.
    guard hit.word <= wordCount else { throw SearchCall.Failure(code: SQLITE_CORRUPT) }
    fromHit.move(to: hit.word, size, hits)
    if fromHit.score > bestScore {
      bestScore = fromHit.score
      // The hits stand in the middle.
      let middle = hit.word - (size - ((fromHit.end(of: hits) ?? hit.end) - hit.word)) / 2
      start = max(0, min(middle, wordCount - size))
    }
    guard let sentence, sentence < hit.word, wordCount > size else { return }
    fromSentence.move(to: sentence, size, hits)
    let score = fromSentence.score + (sentence == 0 ? 120 : 100)
    if score > bestScore { (bestScore, start) = (score, sentence) }
  }

  /// So many words of the text, which move on, and the hits that begin in them.
  private struct Window {
    private var first = 0
    private var end = 0
    /// How often each phrase is among them.
    private var counts: [Int]
    private var phraseCount = 0

    init(_ phraseCount: CInt) { counts = Array(repeating: 0, count: max(0, Int(phraseCount))) }

    var score: Int { end - first + 999 * phraseCount }

    /// The number after the last hit's last word.
    func end(of hits: [SearchHits.Hit]) -> Int? { first < end ? hits[end - 1].end : nil }

    mutating func move(to word: Int, _ size: Int, _ hits: [SearchHits.Hit]) {
      while end < hits.count, hits[end].word < word + size {
        count(hits[end], 1)
        end += 1
      }
      while first < end, hits[first].word < word {
        count(hits[first], -1)
        first += 1
      }
    }

    private mutating func count(_ hit: SearchHits.Hit, _ change: Int) {
      let phrase = Int(hit.phrase)
      counts[phrase] += change
      if counts[phrase] == (change > 0 ? 1 : 0) { phraseCount += change }
    }
  }
}
