import DAOCriteria

extension SQLFragment {
  /// The fragment with one parameter for each value; where some are used more than once they are numbered, `?1`, `?2`.
  var withoutRepetition: SQLFragment {
    if Set(bindings.map(\.source)).count == bindings.count { return self }
    var numbers: [Binding.Source: Int] = [:]
    var kept: [Binding] = []
    var rest = bindings[...]
    var bytes: [UInt8] = []
    var quote: UInt8?
    for byte in text.utf8 {
      bytes.append(byte)
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: "?") where quote == nil:
        guard let binding = rest.popFirst() else { return self }
        let number = numbers[binding.source] ?? kept.count + 1
        if number > kept.count {
          kept.append(binding)
          numbers[binding.source] = number
        }
        bytes += String(number).utf8
      default: break
      }
    }
    return SQLFragment(String(decoding: bytes, as: UTF8.self), kept)
  }
}
