extension Evaluator {
  /// Returns the value at a path inside each document.
  /// - Parameter terms: the term that is JSON, and the steps.
  func json(_ terms: [Criteria.Term], as type: AttributeType) throws -> Value {
    let path = DocumentPath(terms.dropFirst().compactMap { JSONStep($0) })
    guard let first = terms.first, path.steps.count == terms.count - 1 else { throw Self.unsupported("a path that is none") }
    let document = try value(first, as: .json)
    return { [statement] subject in
      let found = try document(subject)
      try statement.spend(found.steps)
      guard case .text(var text) = found else { return .null }
      return text.withUTF8 { path.value(in: $0, as: type) }
    }
  }
}

/// A path, its keys in UTF-8.
private struct DocumentPath {
  enum Step {
    case key(Range<Int>)
    case place(Int)
  }

  private(set) var steps: [Step] = []
  /// One after the other.
  private var keys: [UInt8] = []

  init(_ path: [JSONStep]) {
    for step in path {
      switch step {
      case .key(let key):
        steps.append(.key(keys.count..<keys.count + key.utf8.count))
        keys += key.utf8
      case .place(let place): steps.append(.place(place))
      }
    }
  }

  func value(in document: UnsafeBufferPointer<UInt8>, as type: AttributeType) -> StoredValue {
    let found = keys.withUnsafeBufferPointer { keys in
      JSONDocument.value(in: document, steps: steps.count) { number in
        switch steps[number] {
        case .key(let range): .key(UnsafeBufferPointer(rebasing: keys[range]))
        case .place(let place): .place(place)
        }
      }
    }
    return switch type {
    case .text: found?.text.map { .text($0.withUTF8 { String(decoding: $0, as: UTF8.self) }) } ?? .null
    case .integer: found?.integer.map { .integer($0) } ?? .null
    case .real: found?.real.map { .real($0) } ?? .null
    case .bool: found?.bool.map { .integer($0 ? 1 : 0) } ?? .null
    default: .null
    }
  }
}
