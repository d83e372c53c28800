// What a search means, for the evaluator.
extension TextQuery {
  /// The words of the query, each as what is typed has it.
  package var words: [Substring] { Words.of(text).map { Substring(text.unicodeScalars[$0.range]) } }

  /// Whether texts that are searched together fit; null is a text without words.
  func fits(_ texts: [String?]) -> Bool {
    let texts = texts.map { $0.map(Words.of) ?? [] }
    let phrases = phrases
    func isFound(_ phrase: Phrase) -> Bool { texts.contains { text in text.indices.contains { phrase.stands(at: $0, in: text) } } }
    return kind == .any ? phrases.contains(where: isFound) : !phrases.isEmpty && phrases.allSatisfy(isFound)
  }

  /// A text with each run of words that was found between two marks; runs that overlap are one.
  func highlighted(_ text: String, start: String, end: String) -> String {
    let words = Words.of(text)
    let found = words.indices.flatMap { place in
      phrases.filter { $0.stands(at: place, in: words) }.map { place..<place + $0.words.count }
    }
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

  /// Words that follow one another.
  private struct Phrase {
    let words: [[UInt8]]
    let isPrefix: Bool

    func stands(at place: Int, in text: [Words.Word]) -> Bool {
      guard place + words.count <= text.count else { return false }
      return words.indices.allSatisfy { index in
        let word = text[place + index].folded
        return isPrefix && index == words.count - 1 ? word.starts(with: words[index]) : word == words[index]
      }
    }
  }

  private var phrases: [Phrase] {
    let words = Words.of(text).map(\.folded)
    guard kind != .phrase else { return words.isEmpty ? [] : [Phrase(words: words, isPrefix: isPrefix)] }
    return words.enumerated().map { Phrase(words: [$1], isPrefix: isPrefix && $0 == words.count - 1) }
  }
}
