/// One step of a path into a JSON document: a key of an object, or an index in an array. A text or an integer literal makes one.
public enum JSONStep: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A key, by its UTF-8 bytes once the document's escapes are resolved.
  case key(String)
  /// An index, counted from 0. One that counts from the end is refused: which it is shows only where the array ends.
  case place(Int)

  /// More steps than this are refused.
  public static let maximumCount = 32

  /// A key.
  public init(stringLiteral key: String) { self = .key(key) }

  /// An index.
  public init(integerLiteral place: Int) { self = .place(place) }
}

extension String: JSONStepConvertible {
  /// A key.
  public var jsonStep: JSONStep { .key(self) }
}

extension Int: JSONStepConvertible {
  /// An index.
  public var jsonStep: JSONStep { .place(self) }
}

extension JSONStep {
  /// The step that a term stands for in a path; nil for any other term.
  package init?(_ term: Criteria.Term) {
    switch term {
    case .value(.text(let key)): self = .key(key)
    case .value(.integer(let place)): self = .place(Int(clamping: place))
    default: return nil
    }
  }

  /// Why it can't be taken.
  package var problem: ValueProblem? {
    guard case .place(let place) = self, place < 0 else { return nil }
    return ValueProblem("has a path with the place \(place); places count from 0")
  }

  /// The step as a term, which becomes a binding.
  var term: Criteria.Term {
    switch self {
    case .key(let key): .value(.text(key))
    case .place(let place): .value(.integer(Int64(place)))
    }
  }
}

extension JSONStep: CustomStringConvertible {
  /// The key or the index.
  public var description: String {
    switch self {
    case .key(let key): key
    case .place(let place): "\(place)"
    }
  }
}
