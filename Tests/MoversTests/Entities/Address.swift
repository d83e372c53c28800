import DAOMacros

struct Address: JSONAttributeValue {
  var street: String
  var town: String
}
