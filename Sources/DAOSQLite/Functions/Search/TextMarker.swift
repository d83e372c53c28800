import GRDBSQLite

/// Copies a text, or some of its words, and puts marks around the hits.
final class TextMarker: WordVisitor {
  private let text: UnsafeBufferPointer<UInt8>
  private let marks: (start: UnsafeBufferPointer<UInt8>, end: UnsafeBufferPointer<UInt8>)
  private let maximumLength: Int
  /// The numbers of the words that are copied; nil for all.
  private let shown: ClosedRange<Int>?
  @exclusivity(unchecked) private var runs: HitRuns
  @exclusivity(unchecked) private var run: Range<Int>?
  /// The number of the word that is seen next.
  @exclusivity(unchecked) private var number = 0
  @exclusivity(unchecked) private var copied = 0
  @exclusivity(unchecked) private var isOpen = false
  /// Whether all words that are shown were seen.
  @exclusivity(unchecked) private(set) var isOver = false
  @exclusivity(unchecked) private(set) var output: [UInt8] = []

  /// - Parameter marks: what stands before and after a hit.
  init(
    _ text: UnsafeBufferPointer<UInt8>, _ runs: HitRuns, marks: (start: UnsafeBufferPointer<UInt8>, end: UnsafeBufferPointer<UInt8>),
    words shown: ClosedRange<Int>? = nil, maximumLength: Int
  ) throws {
    (self.text, self.marks, self.shown, self.runs, self.maximumLength) = (text, marks, shown, runs, maximumLength)
    repeat { run = try self.runs.next() } while run.map { $0.lowerBound < shown?.lowerBound ?? 0 } == true
  }

  func visit(_ start: Int, _ end: Int) throws -> Bool {
    defer { number += 1 }
    if let shown {
      if number < shown.lowerBound { return true }
      // Text before the first word belongs to that word.
      if number > 0, number == shown.lowerBound { copied = start }
    }
    if let run, number == run.lowerBound {
      try copy(to: start)
      try append(marks.start)
      isOpen = true
    }
    if let run, number == run.upperBound - 1 {
      try copy(to: end)
      try close()
      self.run = try runs.next()
    }
    guard number == shown?.upperBound else { return true }
    try copy(to: end)
    try close()
    isOver = true
    return false
  }

  /// Copies the rest of the text.
  func finish() throws {
    try copy(to: text.count)
    try close()
  }

  /// Adds a text as it is.
  func append(_ added: UnsafeBufferPointer<UInt8>) throws {
    guard output.count + added.count <= maximumLength else { throw SearchCall.Failure(code: SQLITE_TOOBIG) }
    output += added
  }

  private func copy(to end: Int) throws {
    // A tokenizer of others may give words that overlap.
    guard copied < end, end <= text.count else { return }
    try append(UnsafeBufferPointer(rebasing: text[copied..<end]))
    copied = end
  }

  private func close() throws {
    if isOpen { try append(marks.end) }
    isOpen = false
  }
}
