/// A search prepared for the evaluator: its words, made ready once for many texts.
struct FittingWords {
  private let kind: FullTextQuery.Kind
  /// The words that a text must have as they are.
  private let whole: [[UInt8]]
  private let wholeSet: Set<[UInt8]>
  /// The beginning that a word of the text must have; nil where the last word is whole too.
  private let beginning: [UInt8]?
  // Of a phrase, for each of its words, how many of the first words end before it too: where the search goes on when that word differs.
  private let borders: [Int]

  init(_ query: FullTextQuery) {
    var words = Words.of(query.text).map(\.folded)
    kind = query.kind
    beginning = query.isPrefix ? words.popLast() : nil
    whole = words
    wholeSet = Set(words)
    var borders = [Int](repeating: 0, count: words.count + 1)
    var matched = 0
    for place in words.indices.dropFirst() {
      while matched > 0, words[place] != words[matched] { matched = borders[matched] }
      if words[place] == words[matched] { matched += 1 }
      borders[place + 1] = matched
    }
    self.borders = borders
  }

  /// How many words there are.
  private var count: Int { whole.count + (beginning == nil ? 0 : 1) }

  /// How many steps it takes to look for them in a text; see ``RunBudget``.
  func steps(bytes: Int) -> Int { 1 + bytes / RunBudget.bytesPerStep }

  /// Whether texts that are searched together fit; null is a text without words.
  func fits(_ texts: [String?]) -> Bool {
    if count == 0 { return false }
    let texts = texts.map { $0.map { Words.of($0).map(\.folded) } ?? [] }
    switch kind {
    case .phrase: return texts.contains { !starts(ofPhraseIn: $0).isEmpty }
    case .any: return texts.contains { $0.contains(where: isFound) }
    case .all:
      let found = Set(texts.joined())
      return whole.allSatisfy(found.contains) && (beginning.map { beginning in found.contains { $0.starts(with: beginning) } } ?? true)
    }
  }

  private func isFound(_ word: [UInt8]) -> Bool { wholeSet.contains(word) || beginning.map { word.starts(with: $0) } == true }

  /// Returns the positions at which the words of a phrase stand one after the other.
  private func starts(ofPhraseIn text: [[UInt8]]) -> [Int] {
    func isComplete(_ end: Int) -> Bool { beginning.map { end < text.count && text[end].starts(with: $0) } ?? true }
    if whole.isEmpty { return text.indices.filter(isComplete) }
    var starts: [Int] = []
    var matched = 0
    for (place, word) in text.enumerated() {
      while matched > 0, matched == whole.count || word != whole[matched] { matched = borders[matched] }
      if word == whole[matched] { matched += 1 }
      if matched == whole.count, isComplete(place + 1) { starts.append(place + 1 - matched) }
    }
    return starts
  }

  /// A text with each run of words that was found between two marks; runs that overlap are one.
  func highlighted(_ text: String, start: String, end: String) -> String {
    let words = Words.of(text)
    let folded = words.map(\.folded)
    let found =
      count == 0
      ? []
      : kind == .phrase
        ? starts(ofPhraseIn: folded).map { $0..<$0 + count } : folded.indices.filter { isFound(folded[$0]) }.map { $0..<$0 + 1 }
    var runs: [Range<Int>] = []
    for range in found {
      if let last = runs.last, range.lowerBound < last.upperBound {
        runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        runs.append(range)
      }
    }
    var marked = String.UnicodeScalarView()
    var place = text.unicodeScalars.startIndex
    for run in runs {
      let (from, to) = (words[run.lowerBound].range.lowerBound, words[run.upperBound - 1].range.upperBound)
      marked += text.unicodeScalars[place..<from]
      marked += start.unicodeScalars
      marked += text.unicodeScalars[from..<to]
      marked += end.unicodeScalars
      place = to
    }
    marked += text.unicodeScalars[place...]
    return String(marked)
  }
}
