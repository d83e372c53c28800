import Foundation

/// What was written for a ``DatePattern`` that is none, known by a number, so that patterns can be copied like numbers. Descriptions that a
/// program writes have few; those of a file's schema none. Of more than 65,535 the last stands for all others.
struct WrongPattern: Sendable {
  let number: UInt16

  private static let known = Known()

  private final class Known: @unchecked Sendable {
    struct Text: Hashable {
      let pattern: String
      let zone: String
    }

    private let lock = NSLock()
    private var texts: [Text] = []
    private var numbers: [Text: UInt16] = [:]

    func number(of text: Text) -> UInt16 {
      lock.withLock {
        if let number = numbers[text] { return number }
        guard let number = UInt16(exactly: texts.count) else { return .max }
        numbers[text] = number
        texts.append(text)
        return number
      }
    }

    subscript(number: UInt16) -> Text { lock.withLock { texts[Int(number)] } }
  }

  init(_ pattern: String, zone: String) { number = Self.known.number(of: Known.Text(pattern: pattern, zone: zone)) }

  init(number: UInt16) { self.number = number }

  var pattern: String { Self.known[number].pattern }

  var zone: String { Self.known[number].zone }
}
