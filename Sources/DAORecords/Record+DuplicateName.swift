extension Record {
  /// The first name that an object has twice; nil where all differ.
  /// - Parameter bytes: those of the record.
  func firstDuplicateName(in object: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let (count, end) = (tokens[object].items, tokens[object].next)
    func text(_ name: Int) -> UnsafeBufferPointer<UInt8>.SubSequence {
      bytes[tokens[name].start..<tokens[name].start + tokens[name].count]
    }
    // Most objects are small: each name beside each other one takes no memory.
    var (name, isEscaped) = (object + 1, count > 24)
    while name < end, !isEscaped {
      isEscaped = tokens[name].isEscaped
      var other = object + 1
      while other < name {
        if tokens[other].count == tokens[name].count, text(other).elementsEqual(text(name)) { return name }
        other = tokens[other + 1].next
      }
      name = tokens[name + 1].next
    }
    if !isEscaped { return nil }
    var known: Set<[UInt8]> = []
    name = object + 1
    while name < end {
      let own = Array(text(name))
      if !known.insert(tokens[name].isEscaped ? JSONEscapes.unescaped(own[...]) : own).inserted { return name }
      name = tokens[name + 1].next
    }
    return nil
  }
}
