import DAOKit
import Foundation
import TestCases
import Testing

@testable import DAODifferential

/// Random criteria in JSON whose names, types and rules fit, and which a store refuses all the same.
struct JSONPlaceTests {
  /// From 3002 on there are conditions that only join others, and are too deep.
  @Test(arguments: [TestCases.seed, 3002])
  func `what a store refuses has its place in the JSON, on the evaluator and on SQLite`(seed: UInt64) throws {
    var (refused, parts) = (0, Set<String>())
    // To make a world takes as long as many queries.
    let (worlds, queries) = (TestCases.count(150, inSuite: 7), TestCases.count(40, inSuite: 110))
    for number in 0..<worlds {
      let world = try World(seed: seed &+ UInt64(number))
      let stores = try DAODifferential.Stores(world)
      let entities = stores.catalog.entities
      var maker = CriteriaMaker(world, entities, RandomSource(seed: UInt64(number)))
      for _ in 0..<queries {
        let (entity, criteria) = maker.any()
        guard let text = try? criteria.json(of: entity),
          let tree = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        else { continue }
        var slips = Slips(entities: entities, random: maker.random)
        let json = slips.changed(tree)
        maker.random = slips.random
        let data = try JSONSerialization.data(withJSONObject: json)
        guard let (entity, read) = try? CriteriaDecoder(allowing: .everything, limits: .own).decode(data, of: entities) else { continue }
        let found = problems(read, of: entity, in: stores.sqlite)
        #expect(found == problems(read, of: entity, in: stores.evaluator), "\(json)")
        if found.isEmpty { continue }
        refused += 1
        for problem in found {
          parts.insert(String(problem.path.prefix { $0 != "[" }))
          #expect(isPlace(problem.path[...], in: json), "\(problem) of \(String(decoding: data, as: UTF8.self))")
        }
      }
    }
    #expect(refused * 10 > worlds * queries * 3, "\(refused) of \(worlds * queries)")
    #expect(parts.isSuperset(of: ["$.filter", "$.having", "$.order", "$.project", "$.distinct"]), "\(parts.sorted())")
  }

  private func problems(_ criteria: Criteria, of entity: EntityDescription, in store: any EntityStore) -> [DAOError.CriteriaProblem] {
    let target = EntityTarget(entity)
    do {
      if criteria.columns.isEmpty {
        _ = try store.find(DynamicEntity.self, in: target, criteria)
      } else {
        _ = try store.report(in: target, criteria) { _ in }
      }
    } catch DAOError.invalidCriteria(_, let problems) { return problems } catch {}
    return []
  }

  /// Whether a place is one of the JSON.
  private func isPlace(_ path: Substring, in json: Any) -> Bool {
    guard path.first == "$" else { return false }
    var (rest, node) = (path.dropFirst(), json)
    while let first = rest.first {
      rest = rest.dropFirst()
      let name = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" }
      rest = rest.dropFirst(name.count)
      if first == ".", let object = node as? [String: Any], let member = object[String(name)] {
        node = member
      } else if first == "[", let list = node as? [Any], let index = Int(name), list.indices.contains(index), rest.first == "]" {
        (node, rest) = (list[index], rest.dropFirst())
      } else {
        return false
      }
    }
    return true
  }

  @Test func `a value that does not fit has its place where the statement is known already`() throws {
    let entity = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true)])
    let statements = try SchemaSQL.statements(for: [entity])
    let store = EngineStore(try SQLiteEngine(inMemory: { db in for statement in statements { try db.execute(sql: statement) } }))
    func refused(_ start: String) throws -> [String] {
      let json =
        #"{"version":1,"entity":"note","project":[{"term":"id"},{"term":{"highlight":"text","text":"a","start":"\#(start)","end":""}}]}"#
      let criteria = try CriteriaDecoder().decode(Data(json.utf8), of: [entity]).criteria
      return problems(criteria, of: entity, in: store).map(\.path)
    }
    #expect(try refused(#"\u0000"#) == ["$.project[1].term"])
    #expect(try refused("<b>") == [])
    #expect(try refused(#"\u0000"#) == ["$.project[1].term"])
  }
}

/// Slips of whoever writes JSON by hand.
private struct Slips {
  let entities: [EntityDescription]
  var random: RandomSource

  private static let functions = ["lower", "upper", "trim", "length", "abs", "round"]
  private static let aggregates = ["min", "max", "sum", "average"]
  private static let matches = ["like", "contains", "beginsWith", "endsWith"]

  mutating func changed(_ criteria: [String: Any]) -> [String: Any] {
    var criteria = changed(criteria as Any) as? [String: Any] ?? criteria
    if random.once(in: 8) { criteria["distinct"] = true }
    if random.once(in: 12) { criteria["project"] = nil }
    if random.once(in: 10) { criteria["having"] = criteria["filter"] }
    if random.once(in: 10) { criteria["order"] = [["by": ["count": "*"]]] }
    return criteria
  }

  private mutating func changed(_ node: Any) -> Any {
    switch node {
    case let list as [Any]: return list.map { changed($0) }
    case let object as [String: Any]:
      var changed: [String: Any] = [:]
      for (name, value) in object.sorted(by: { $0.key < $1.key }) {
        if name == "group", random.once(in: 3) { continue }
        let other = [Self.functions, Self.aggregates, Self.matches].first { $0.contains(name) }
        let keepsName = other == nil || !random.once(in: 3)
        changed[keepsName ? name : random.pick(other ?? [name])] = ["value", "values", "path"].contains(name) ? value : self.changed(value)
      }
      return changed
    case let name as String:
      guard random.once(in: 3), let entity = entities.first(where: { $0[name] != nil }) else { return name }
      return random.pick(entity.attributes).name
    default: return node
    }
  }
}
