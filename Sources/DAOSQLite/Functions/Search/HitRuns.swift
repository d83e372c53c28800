/// The runs of words that the hits cover: hits that share a word are one.
struct HitRuns {
  private var hits: SearchHits
  private var following: SearchHits.Hit?

  init(_ hits: SearchHits) throws {
    self.hits = hits
    following = try self.hits.next()
  }

  /// The next run, as numbers of words; nil after the last.
  mutating func next() throws -> Range<Int>? {
    guard let first = following else { return nil }
    var end = max(first.end, first.word + 1)
    while true {
      following = try hits.next()
      guard let following, following.word < end else { return first.word..<end }
      end = max(end, following.end)
    }
  }
}
