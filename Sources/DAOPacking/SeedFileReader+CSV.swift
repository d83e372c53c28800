import DAOCriteria
import DAORecords

extension SeedFileReader {
  mutating func readCSV(_ reader: inout CSVRecordReader, _ put: Put) throws {
    var header = Record()
    do { try reader.readHeader(&header) } catch { return add(reading: error) }
    let names = header.items(of: 0).map { header.text(of: $0) }
    var known: Set<String> = []
    for name in names where !isFull {
      if entity[name] == nil { add(unknown: name, row: nil) }
      if !known.insert(name).inserted { add("stands twice in the header", attribute: name.shown) }
    }
    try readRecords(&reader) { reader, record, row in
      try reader.putRow(row, put) { attribute in
        try record.member(attribute.name).flatMap { cell in try Self.value(record, cell, of: attribute) }
      }
    }
  }

  /// Nil for an empty cell: the attribute's default, else nil where it may be, and for a key that is generated.
  private static func value(_ record: Record, _ position: Int, of attribute: Attribute) throws -> Scalar? {
    let cell = record.text(of: position)
    if record.kind(of: position) == .blank || cell.isEmpty && !attribute.type.isString {
      if attribute.isOptional { return .null }
      if attribute.type.isString, attribute.defaultValue == nil {
        throw ValueProblem("is an empty cell; an empty text is written in quotes")
      }
      return nil
    }
    switch attribute.type {
    case .bool, .boolText:
      switch cell {
      case "true", "1": return .bool(true)
      case "false", "0": return .bool(false)
      default: throw ValueProblem("expects true or false, not the text \"\(cell.shown)\"")
      }
    case .integer:
      guard let value = Int64(cell) else { throw ValueProblem("expects an integer of 64 bits, not the text \"\(cell.shown)\"") }
      return .integer(value)
    case .real:
      guard let value = Double(cell), !value.isNaN else { throw ValueProblem("expects a double, not the text \"\(cell.shown)\"") }
      return .real(value)
    default: return try JSONNode.text(cell).scalar(as: attribute.type)
    }
  }
}
