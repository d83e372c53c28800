extension Record {
  /// The first name that an object has twice; nil where all differ.
  /// - Parameter bytes: those of the record.
  func firstDuplicateName(in object: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let (count, end) = (tokens[object].items, tokens[object].next)
    func text(_ name: Int) -> UnsafeBufferPointer<UInt8>.SubSequence {
      bytes[tokens[name].start..<tokens[name].start + tokens[name].count]
    }
    // Most objects are small, and their names ASCII: each name beside each other one takes no memory.
    var (name, needsTexts) = (object + 1, count > 24)
    while name < end, !needsTexts {
      needsTexts = tokens[name].isEscaped || text(name).contains { $0 >= 0x80 }
      var other = object + 1
      while other < name {
        if tokens[other].count == tokens[name].count, text(other).elementsEqual(text(name)) { return name }
        other = tokens[other + 1].next
      }
      name = tokens[name + 1].next
    }
    if !needsTexts { return nil }
    // Names that are composed otherwise are the same.
    var known: Set<String> = []
    name = object + 1
    while name < end {
      let bytes = tokens[name].isEscaped ? JSONEscapes.unescaped(Array(text(name))[...]) : Array(text(name))
      if !known.insert(String(decoding: bytes, as: UTF8.self)).inserted { return name }
      name = tokens[name + 1].next
    }
    return nil
  }
}
