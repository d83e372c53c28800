import DAOCriteria

extension Condition {
  var depth: Int { 0 }
  static func isDeep(_ depth: Int) -> Bool { depth > 24 }
}
