import DAOCriteria
import DAORecords

extension SeedFileReader {
  mutating func readJSON(_ reader: inout JSONRecordReader, _ put: Put) throws {
    try readRecords(&reader) { reader, record, row in
      guard record.kind() == .object else { return reader.add("expects an object, not \(record.shown(0))", row: row) }
      if let name = record.duplicateName { reader.add("stands twice in its object", row: row, attribute: record.text(of: name).shown) }
      for member in record.members() where !reader.isFull && reader.entity[member.name] == nil {
        reader.add(unknown: member.name, row: row)
      }
      try reader.putRow(row, put) { attribute in try record.member(attribute.name).map { record.node(of: $0) }?.value(of: attribute) }
    }
  }
}

extension JSONNode {
  /// The value of an attribute.
  fileprivate func value(of attribute: Attribute) throws -> Scalar {
    switch (self, attribute.type) {
    case (.object, .json), (.list, .json), (.number, .json), (.bool, .json): .text(json)
    default: try scalar(as: attribute.type)
    }
  }
}
