import Foundation

/// A text that is known by a number, so that what has it can be copied like a number. Texts are kept for as long as the process runs: they
/// are parts of descriptions, and few. Of more than 65,535 the last stands for all others.
struct KnownText: Sendable, Hashable {
  let number: UInt16

  private static let known = Known()

  private final class Known: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    private var numbers: [String: UInt16] = [:]

    func number(of text: String) -> UInt16 {
      lock.withLock {
        if let number = numbers[text] { return number }
        guard let number = UInt16(exactly: texts.count) else { return .max }
        numbers[text] = number
        texts.append(text)
        return number
      }
    }

    func text(_ number: UInt16) -> String { lock.withLock { texts[Int(number)] } }
  }

  init(_ text: String) { number = Self.known.number(of: text) }

  init(number: UInt16) { self.number = number }

  var text: String { Self.known.text(number) }
}
