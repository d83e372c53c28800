import DAOKit
import Foundation

/// Compares what dynamic entities and typed ones read and find in a foreign database with what its maker says.
final class ForeignComparison {
  /// The types of a table's columns, by their declared names.
  private struct Forms: Decodable {
    struct Column: Decodable {
      let name: String
      let type: String
    }

    let table: String
    let columns: [Column]
    // Whether the values have no one form, so that no entity has.
    let isDoubtful: Bool?
  }

  /// What a row says: a date in seconds since 2001, the digits of a number, a truth value, a UUID or a text; nothing for null.
  private struct Value: Decodable {
    let table: String
    let column: String
    let id: Int64
    let date: Double?
    let number: String?
    let bool: Bool?
    let uuid: UUID?
    let text: String?

    var scalar: Scalar {
      if let date { return .date(Date(timeIntervalSinceReferenceDate: date)) }
      if let bool { return .bool(bool) }
      if let uuid { return .uuid(uuid) }
      if let text { return .text(text) }
      return number.flatMap { Decimal(string: $0) }.map { .decimal($0) } ?? .null
    }
  }

  /// The answer to criteria: the keys that they find, or the rows that they report, as text.
  private struct Case: Decodable {
    struct Answer: Decodable {
      let keys: [Int64]?
      let rows: [[String?]]?
    }

    let answer: Answer
  }

  private let folder: URL
  private let factory: DAOFactory
  private let entities: [EntityDescription]
  // By the entity's name and the column's.
  private var typed: [String: [String: any TypedAnswers]] = [:]
  private(set) var valueCount = 0
  private(set) var caseCount = 0
  private var differences: [String] = []

  init(_ folder: URL) throws {
    self.folder = folder
    let forms = try JSONDecoder().decode([Forms].self, from: Data(contentsOf: folder.appendingPathComponent("forms.json"))).filter {
      $0.isDoubtful != true
    }
    var known = SchemaCorrections()
    for forms in forms {
      known.types[forms.table] = Dictionary(uniqueKeysWithValues: forms.columns.map { ($0.name, AttributeType(declaredName: $0.type)) })
    }
    let factory = try DAOFactory(store: .file(folder.appendingPathComponent("store.sqlite")), corrections: known)
    entities = try forms.map { try factory.entity(named: $0.table) }
    self.factory = factory
    for entity in entities {
      let store = factory.runtimeDAO(entity).context.store
      for column in entity.attributes where !entity.key.attributes.contains(column.name) {
        typed[entity.name, default: [:]][column.name] = column.type.answers(over: column, of: entity, in: store)
      }
    }
  }

  /// - Returns: a line for each difference.
  func run() throws -> [String] {
    try compareValues()
    try compareBytes()
    try compareCriteria()
    return differences
  }

  private func lines(_ name: String) throws -> [Substring] {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
  }

  private func compareValues() throws {
    var rows: [String: [Int64: DynamicEntity]] = [:]
    for entity in entities {
      for row in try factory.runtimeDAO(entity).findAll() {
        if case .integer(let id)? = row["id"] { rows[entity.name, default: [:]][id] = row }
      }
    }
    let typedValues = try typed.mapValues { try $0.mapValues { try $0.values() } }
    for line in try lines("values.jsonl") {
      let value = try JSONDecoder().decode(Value.self, from: Data(line.utf8))
      let found = rows[value.table]?[value.id]?[value.column]
      let expected = value.scalar
      valueCount += 1
      let read = typedValues[value.table]?[value.column]?[value.id]
      if read != expected {
        differences.append("\(value.table) \(value.id) \(value.column): \(shown(read)) as a Swift type, not \(shown(expected))")
      }
      if found != expected { differences.append("\(value.table) \(value.id) \(value.column): \(shown(found)), not \(shown(expected))") }
    }
  }

  private func shown(_ scalar: Scalar?) -> String {
    if case .date(let date)? = scalar { "\(date) \(date.timeIntervalSinceReferenceDate)" } else { "\(scalar ?? .null)" }
  }

  /// What was read is written again, in a transaction, by an upsert and through a unit of work, and no byte changes.
  private func compareBytes() throws {
    for entity in entities {
      let rows = factory.runtimeDAO(entity)
      let columns = entity.attributes.map { "quote(\($0.column.quotedIdentifier))" }.joined(separator: " || ' ' || ")
      func bytes() throws -> [String] {
        try rows.query(SQL(stringLiteral: "SELECT \(columns) FROM \(entity.table.quotedIdentifier) ORDER BY id")) {
          try $0.next(String.self)
        }
      }
      let was = try bytes()
      try rows.update(try rows.findAll())
      if try bytes() != was { differences.append("\(entity.name): an update changed bytes") }
      try rows.upsert(try rows.findAll())
      if try bytes() != was { differences.append("\(entity.name): an upsert changed bytes") }
      for answers in typed[entity.name, default: [:]].values { try answers.rewrite() }
      if try bytes() != was { differences.append("\(entity.name): an update of a Swift type changed bytes") }
      let work = try factory.unitOfWork()
      let edited = work.runtimeDAO(entity)
      try edited.update(try edited.findAll())
      try work.commit()
      if try bytes() != was { differences.append("\(entity.name): a unit of work changed bytes") }
    }
  }

  private static func text(_ scalar: Scalar) -> String? {
    switch scalar {
    case .null: nil
    case .decimal(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .text(let text): text
    default: "\(scalar)"
    }
  }

  private func compareCriteria() throws {
    let decoder = CriteriaDecoder(allowing: .everything, budget: nil)
    for line in try lines("cases.jsonl") {
      let expected = try JSONDecoder().decode(Case.self, from: Data(line.utf8)).answer
      // The criteria as they are in the file.
      let start = #"{"criteria": "#
      guard line.hasPrefix(start), let end = line.range(of: #", "answer": "#, options: .backwards) else { continue }
      let json = String(line[line.index(line.startIndex, offsetBy: start.utf8.count)..<end.lowerBound])
      caseCount += 1
      do {
        let criteria = try decoder.decode(Data(json.utf8), of: entities)
        guard let entity = entities.first(where: { $0.name == criteria.entity.name }) else { continue }
        if let keys = expected.keys {
          let found = try factory.runtimeDAO(entity).findAll(SearchCriteria(criteria.criteria)).compactMap { row -> Int64? in
            if case .integer(let id)? = row["id"] { id } else { nil }
          }
          if found != keys { differences.append("\(json)\n  found \(found), not \(keys)") }
          // The first order is that of the column.
          guard case .field(let path)? = criteria.criteria.orders.first?.term, let answers = typed[entity.name]?[path.description] else {
            differences.append("\(json)\n  no Swift type reads the column")
            continue
          }
          let typed = try answers.keys(criteria.criteria)
          if typed != keys { differences.append("\(json)\n  a Swift type found \(typed), not \(keys)") }
        } else {
          let columns = criteria.criteria.columns
          let found = try factory.runtimeDAO(entity).project(SearchCriteria(criteria.criteria)) { row in
            try columns.map { _ in Self.text(try row.takeScalar()) }
          }
          if found != expected.rows { differences.append("\(json)\n  reported \(found), not \(expected.rows ?? [])") }
        }
      } catch { differences.append("\(json)\n  \(error)") }
    }
  }
}
