import DAOImport
import DAOKit
import Foundation
import GRDB
import TestCases

// The mappings of the model, and the rows as they are expected in the new store.
extension CoreDataWorld {
  /// The mappings of all moved entities, in any order.
  func mappings(_ random: inout RandomSource) -> [CoreDataMapping] {
    let mappings = kinds.indices.filter { kinds[$0].isMoved }.compactMap { kind -> CoreDataMapping? in
      guard let entity = entities[kind] else { return nil }
      var mapping = ImportMapping<DynamicEntity>()
      if kinds[kind].key == .kept { mapping["id"] = random.once(in: 2) ? "z_pk" : "Z_PK" }
      let twins = parts(kind).compactMap { kinds[$0].twin.map { RecordPath([String($0.dropFirst())]) } }
      if twins.count > 1 || twins.first.map({ $0 != "TWIN" }) ?? false {
        mapping["twin"] = AttributeMapping(paths: twins.shuffled(using: &random))
      }
      var data: [String: CoreDataMapping.DataForm] = [:]
      var orders: [String: String] = [:]
      for part in parts(kind) {
        for attribute in kinds[part].attributes where attribute.type == .data {
          data[attribute.name] = attribute.isExternal ? .external : .plain
        }
        for pair in kinds[part].pairs where pair.isOrdered { orders[pair.name] = "place" }
      }
      return .entity(describedBy: entity, from: kinds[kind].name, mapping, data: data, orders: orders)
    }
    return mappings.shuffled(using: &random)
  }

  /// The rows of the new store, with the mark of a row in place of each key; sorted.
  func dump(_ factory: DAOFactory) throws -> [String] {
    var marks: [String: String] = [:]
    var found: [(kind: Int, row: DynamicEntity)] = []
    for (kind, entity) in entities {
      for row in try factory.runtimeDAO(entity).findAll() {
        found.append((kind, row))
        marks["\(kind) \(row[keyName(kind)] ?? .null)"] = row["mark"].map { "\($0)" }
      }
    }
    func mark(_ kind: Int, _ key: Scalar?) -> String { key.map { $0.isNull ? "–" : marks["\(kind) \($0)"] ?? "?" } ?? "–" }
    var lines = found.map { kind, row in
      var parts = ["new\(kind)", mark(kind, row[keyName(kind)])] + (hasTwin(kind) ? [Self.shown(row["twin"])] : [])
      for part in self.parts(kind) {
        parts += kinds[part].attributes.map { Self.shown(row[$0.name.capitalized]) }
        parts += kinds[part].links.map { mark($0.target, row[$0.name]) }
      }
      return parts.joined(separator: " ")
    }
    for kind in entities.keys {
      for pair in self.parts(kind).flatMap({ kinds[$0].pairs }) {
        guard let join = joins["join\(kind)\(pair.name)"] else { continue }
        for row in try factory.runtimeDAO(join).findAll() {
          lines.append("\(join.name) \(mark(kind, row["one"])) \(mark(pair.target, row["other"])) \(row["place"] ?? .null)")
        }
      }
    }
    return lines.sorted()
  }

  /// What a store has that has exactly these rows.
  var expected: [String] {
    func mark(_ row: Int?) -> String { row.map { "\"\(rows[$0].mark)\"" } ?? "–" }
    var lines: [String] = []
    for (number, row) in rows.enumerated() {
      let kind = moved(row.kind)
      var parts = ["new\(kind)", mark(number)] + (hasTwin(kind) ? [Self.shown(row.twin)] : [])
      for part in self.parts(kind) {
        parts += kinds[part].attributes.map { Self.shown(Self.rounded(row.values[$0.name], $0.type)) }
        parts += kinds[part].links.map { mark(row.links[$0.name]) }
        for pair in kinds[part].pairs {
          for (place, other) in (row.pairs[pair.name] ?? []).enumerated() {
            lines.append("join\(kind)\(pair.name) \(mark(number)) \(mark(other)) \(pair.isOrdered ? "\((place + 1) * 1024)" : "nil")")
          }
        }
      }
      lines.append(parts.joined(separator: " "))
    }
    return lines.sorted()
  }

  /// The positions that no mapping asks for.
  var leftOut: Set<String> {
    var leftOut: Set<String> = []
    for row in rows {
      for part in ancestors(row.kind) {
        for pair in kinds[part].pairs where pair.isInverseOrdered && row.pairs[pair.name]?.isEmpty == false {
          leftOut.insert("\(pair.table(of: part)).Z_FOK_\(pair.inverseColumn(of: part))")
        }
      }
    }
    return leftOut
  }

  /// A date as an attribute stores it.
  private static func rounded(_ value: Scalar?, _ type: AttributeType) -> Scalar? {
    guard case .date? = value, let value, let stored = try? type.stored(value) else { return value }
    return try? type.scalar(stored)
  }

  private static func shown(_ value: Scalar?) -> String {
    switch value {
    case .date(let date): "\(date.timeIntervalSince1970)"
    case .data(let data): "\([UInt8](data))"
    case let value: "\(value ?? .null)"
    }
  }

  var descriptions: [EntityDescription] { entities.sorted { $0.key < $1.key }.map(\.value) + joins.sorted { $0.key < $1.key }.map(\.value) }
}
