import DAOKit
import Foundation

/// What is asked of both stores.
enum Question: Equatable {
  case find, keys, count, exists, report, delete
  case update([Criteria.Change])
}

/// One comparison of the two stores: rows, a query, and what is asked.
struct Case {
  var rows: [[String: Scalar]]
  var criteria: Criteria
  /// The rows that the DAO lets be seen.
  var scope = Criteria.Condition.constant(true)
  var question: Question

  /// What both stores answer; equal where the stores agree.
  func answers() throws -> (array: Answer, sqlite: Answer) {
    let (array, sqlite) = (try Stores.array(rows), try Stores.sqlite(rows))
    return (answer(array), answer(sqlite))
  }

  /// A store's answer. What the question changes is put back.
  func answer(_ store: any EntityStore) -> Answer {
    let target = EntityTarget(Everything.entity, scope: scope)
    do {
      switch question {
      case .find: return .rows(ordered(try store.find(DynamicEntity.self, in: target, criteria).map(\.values)))
      case .keys: return .rows(ordered(try store.findKeys(DynamicEntity.self, in: target, criteria)))
      case .count: return .rows([[.integer(Int64(try store.count(in: target, criteria)))]])
      case .exists: return .rows([[.bool(try store.exists(in: target, criteria))]])
      case .report:
        let rows = try store.report(in: target, criteria) { row in
          try criteria.columns.map { _ in try row.takeScalar() }
        }
        return .rows(ordered(rows))
      case .delete: return try changed(store) { try $0.delete(in: target, criteria) }
      case .update(let changes): return try changed(store) { try $0.update(in: target, criteria, set: changes) }
      }
    } catch { return Answer(error) }
  }

  private func changed(_ store: any EntityStore, _ change: (any EntityStore) throws -> Int) throws -> Answer {
    struct Back: Error { let rows: [[Scalar]] }
    do {
      return try store.write { store in
        let count = try change(store)
        let rows = try store.find(DynamicEntity.self, in: EntityTarget(Everything.entity), Criteria()).map(\.values)
        throw Back(rows: [[.integer(Int64(count))]] + rows.inOneOrder)
      }
    } catch let back as Back { return .rows(back.rows) }
  }

  /// Rows whose order the criteria leaves open are put into one.
  private func ordered(_ rows: [[Scalar]]) -> [[Scalar]] {
    criteria.orders.isEmpty && criteria.limit == nil && criteria.offset == nil ? rows.inOneOrder : rows
  }
}

/// What a store answers: rows, or an error's kind.
enum Answer: Equatable, CustomStringConvertible {
  case rows([[Scalar]])
  case failed(String, message: String)

  init(_ error: any Error) {
    let kind =
      switch error {
      case DAOError.overflow: "overflow"
      case DAOError.constraint(let constraint, _, _, _): "constraint \(constraint)"
      case DAOError.invalidCriteria, is ValueProblem: "invalid"
      default: "other"
      }
    self = .failed(kind, message: "\(error)")
  }

  /// Rows as rows, errors by their kind.
  static func == (left: Answer, right: Answer) -> Bool {
    switch (left, right) {
    case (.rows(let a), .rows(let b)): a == b
    case (.failed(let a, _), .failed(let b, _)): a == b
    default: false
    }
  }

  var description: String {
    switch self {
    case .rows(let rows): "\(rows.count) rows\n" + rows.prefix(20).map { "    \($0)" }.joined(separator: "\n")
    case .failed(let kind, let message): "\(kind): \(message)"
    }
  }
}

extension [[Scalar]] {
  /// By their text, in which 0 has no sign: SQLite does not always keep that of a zero.
  var inOneOrder: [[Scalar]] {
    map { row in (row, row.map(\.sortText).joined(separator: " ")) }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

extension Scalar {
  fileprivate var sortText: String {
    switch self {
    case .real(0): "0.0"
    case .data(let data): data.map { String($0, radix: 16) }.joined(separator: ",")
    case .date(let date): "\(date.timeIntervalSince1970)"
    default: description
    }
  }
}

/// The two stores with the same rows.
enum Stores {
  static func array(_ rows: [[String: Scalar]]) throws -> EvaluatorStore { try filled(EvaluatorStore([Everything.entity]), rows) }

  static func sqlite(_ rows: [[String: Scalar]]) throws -> EngineStore { try filled(sqlite(for: [Everything.entity]), rows) }

  static func sqlite(for entities: [EntityDescription]) throws -> EngineStore {
    let statements = try SchemaSQL.statements(for: entities)
    return EngineStore(try SQLiteEngine(inMemory: { db in for statement in statements { try db.execute(sql: statement) } }))
  }

  private static func filled<Store: EntityStore>(_ store: Store, _ rows: [[String: Scalar]]) throws -> Store {
    _ = try store.insert(rows.map { try DynamicEntity(Everything.entity, $0) }, in: EntityTarget(Everything.entity))
    return store
  }
}
