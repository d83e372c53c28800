import DAOKit
import DAORecords
import Foundation

/// A record while it is mapped.
struct RecordReading {
  let record: Record
  let origin: RecordOrigin
  /// Its number among the readings of a mapper.
  let number: Int
  /// Whether the record is a value that a hook returned, which has no position in the feed.
  private let isOwn: Bool

  init(record: Record, origin: RecordOrigin, number: Int) {
    self.record = record
    self.origin = origin
    self.number = number
    isOwn = false
  }

  /// A value that a hook returned.
  init(_ value: ImportValue, origin: RecordOrigin, number: Int) throws {
    // In a list, since a text that is one value is an object.
    var reader = JSONRecordReader(ByteSource(Data("[\(value.node.json)]".utf8)))
    var record = Record()
    var rest = Record()
    do {
      guard try reader.next(&record), try !reader.next(&rest) else { throw ValueProblem("is returned by a hook as no JSON: \(value)") }
    } catch let problem as RecordProblem { throw ValueProblem("is returned by a hook as no JSON: \(problem)") }
    self.record = record
    self.origin = origin
    self.number = number
    isOwn = true
  }

  /// The position of a value in the feed.
  func position(of value: Int) -> TextPosition { isOwn ? origin.position : record.position(of: value) }

  /// The first value that one of the paths leads to.
  /// - Returns: the value and the number of its path; nil where the object has none of them.
  /// - Throws: ``ValueProblem`` where a path can't be followed and no other one leads to a value.
  func find(_ paths: [RecordPath], in object: Int) throws -> (value: Int, path: Int)? {
    var problem: ValueProblem?
    for (number, path) in paths.enumerated() {
      if path.names.count == 1 {
        if let value = record.member(path.names[0], of: object) { return (value, number) }
        continue
      }
      switch follow(path, from: object) {
      case .value(let value): return (value, number)
      case .missing: break
      case .blocked(let reason): problem = problem ?? reason
      }
    }
    if let problem { throw problem }
    return nil
  }

  private enum Followed {
    case value(Int)
    case missing
    case blocked(ValueProblem)
  }

  private func follow(_ path: RecordPath, from object: Int) -> Followed {
    // The names of cells may have dots.
    if let cell = record.member(path.description, of: object), [.cell, .blank].contains(record.kind(of: cell)) { return .value(cell) }
    var value = object
    for (depth, name) in path.names.enumerated() {
      switch record.kind(of: value) {
      case .object:
        guard let member = record.member(name, of: value) else { return .missing }
        value = member
      case .list:
        guard let number = Int(name) else {
          return .blocked(ValueProblem("expects an object at '\(path.names[..<depth].joined(separator: "."))', not a list"))
        }
        let items = record.items(of: value)
        guard items.indices.contains(number) else { return .missing }
        value = items[number]
      case .null, .blank: return .missing
      default:
        return .blocked(
          ValueProblem("expects an object at '\(path.names[..<depth].joined(separator: "."))', not \(record.shown(value))"))
      }
    }
    return .value(value)
  }
}
