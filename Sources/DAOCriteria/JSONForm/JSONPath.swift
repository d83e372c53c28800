/// A position in a JSON text: `$.filter.all[2].to`.
indirect enum JSONPath: Sendable, CustomStringConvertible {
  case root
  case member(JSONPath, String)
  case item(JSONPath, Int)

  var description: String {
    switch self {
    case .root: "$"
    case .member(let path, let name): "\(path)" + (name.isWord ? ".\(name)" : "[\"\(name.shown)\"]")
    case .item(let path, let index): "\(path)[\(index)]"
    }
  }
}

extension String {
  fileprivate var isWord: Bool {
    (1...64).contains(utf8.count)
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
