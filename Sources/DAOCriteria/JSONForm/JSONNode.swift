/// A JSON text as a tree. Numbers keep the digits that they were written with.
package enum JSONNode: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case list([JSONNode])
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable {
    package let name: String
    package let value: JSONNode

    package init(name: String, value: JSONNode) {
      self.name = name
      self.value = value
    }
  }

  /// How messages name the kind of value.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits.shown
    case .text(let text): "the text \"\(text.shown)\""
    case .list: "a list"
    case .object: "an object"
    }
  }
}

extension JSONNode {
  /// The JSON text, without spaces, names in order: equal trees are equal texts.
  package var json: String {
    var json = ""
    append(to: &json)
    return json
  }

  private func append(to json: inout String) {
    switch self {
    case .null: json += "null"
    case .bool(let value): json += value ? "true" : "false"
    case .number(let digits): json += digits
    case .text(let text): Self.append(text, to: &json)
    case .list(let items): Self.append(items, "[", "]", to: &json) { $0.append(to: &$1) }
    case .object(let members):
      Self.append(members.sorted { $0.name < $1.name }, "{", "}", to: &json) { member, json in
        Self.append(member.name, to: &json)
        json += ":"
        member.value.append(to: &json)
      }
    }
  }

  private static func append<Item>(
    _ items: [Item], _ open: String, _ close: String, to json: inout String, _ append: (Item, inout String) -> Void
  ) {
    json += open
    for (index, item) in items.enumerated() {
      if index > 0 { json += "," }
      append(item, &json)
    }
    json += close
  }

  /// RFC 8259, section 7: quotes, backslashes and controls are escaped.
  private static func append(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\u{0}"..."\u{1F}": json += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }
}
