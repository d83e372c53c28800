import DAOCriteria
import DAORecords
import DAOSQLite
import Foundation

/// Reads the rows of a file, and collects their problems.
struct SeedFileReader {
  let file: SeedFile
  let entity: EntityDescription
  private(set) var problems: [SeedPacker.Failure.RowProblem] = []
  private let limit: Int

  /// - Parameter limit: with so many problems, reading ends.
  init(_ file: SeedFile, _ entity: EntityDescription, limit: Int) {
    self.file = file
    self.entity = entity
    self.limit = limit
  }

  /// Whether there are as many problems as are useful to read.
  var isFull: Bool { problems.count >= limit }

  /// Hands over each sound row with its number, in the order of the entity's attributes. A problem of an attribute that is thrown is
  /// reported as one of the row.
  mutating func read(_ put: Put) throws {
    let source: ByteSource
    do { source = try ByteSource(file.url) } catch { return add(reading: error) }
    switch file.format {
    case .json:
      var reader = JSONRecordReader(source)
      try readJSON(&reader, put)
    case .csv:
      var reader = CSVRecordReader(source)
      try readCSV(&reader, put)
    }
  }

  /// Reads records, and calls a body with each and its number, from 1.
  mutating func readRecords<Reader: RecordReader>(
    _ reader: inout Reader, _ body: (inout Self, Record, _ row: Int) throws -> Void
  ) throws {
    var record = Record()
    var row = 0
    while !isFull {
      row += 1
      do { guard try reader.next(&record) else { return } } catch {
        add(reading: error, row: reader.goesOn ? row : nil)
        if reader.goesOn { continue } else { return }
      }
      try body(&self, record, row)
    }
  }

  /// Adds the problem that a file can't be read any further, or a record of it.
  mutating func add(reading error: any Error, row: Int? = nil) {
    guard let problem = error as? RecordProblem else { return add("can't be read: \(error.localizedDescription)") }
    add(row == nil ? "\(problem)" : problem.message, row: row)
  }

  mutating func add(_ message: String, row: Int? = nil, attribute: String? = nil) {
    guard !isFull else { return }
    problems.append(
      SeedPacker.Failure.RowProblem(file: file.url.lastPathComponent, row: row, entity: entity.name, attribute: attribute, message))
  }

  mutating func add(unknown name: String, row: Int?) {
    let nearest = Nearest.name(to: name, among: entity.attributes.map(\.name))
    add("is no attribute" + (nearest.map { "; did you mean '\($0)'?" } ?? ""), row: row, attribute: name.shown)
  }

  /// Takes a row, and reports its problems. It receives whether the row is sound; invalid values are null.
  typealias Put = (_ row: Int, [StoredValue], _ isSound: Bool) throws -> [SeedRowProblem]

  /// Puts a row together.
  /// - Parameter value: the value of an attribute; nil where the row says nothing of it.
  mutating func putRow(_ row: Int, _ put: Put, _ value: (Attribute) throws -> Scalar?) throws {
    var values: [StoredValue] = []
    var isSound = true
    for attribute in entity.attributes {
      do {
        let scalar = try value(attribute) ?? attribute.defaultValue ?? .null
        let isGenerated = entity.hasGeneratedKey && entity.key.attributes == [attribute.name]
        if scalar.isNull, !attribute.isOptional, !isGenerated { throw ValueProblem("is missing") }
        if attribute.type == .json, case .text(let text) = scalar, let problem = JSONScanner.problem(in: text) {
          throw ValueProblem("expects JSON, not the text \"\(text.shown)\": \(problem)")
        }
        values.append(try attribute.type.stored(scalar))
      } catch let problem as ValueProblem {
        add(problem.description, row: row, attribute: attribute.name)
        values.append(.null)
        isSound = false
      }
    }
    for problem in try put(row, values, isSound) { add(problem.text, row: row, attribute: problem.attribute) }
  }
}
