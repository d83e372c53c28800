import DAOImport
import DAOKit
import Foundation
import GRDB
import TestCases

// The model and its rows as Core Data writes them.
extension CoreDataWorld {
  /// The column of a name of the model.
  private func column(_ name: String) -> String { "Z\(name.uppercased())" }

  /// Writes the model and its rows.
  func write(to file: CoreDataFile, _ random: inout RandomSource) throws {
    for (number, kind) in kinds.enumerated() {
      try file.run("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)", [number + 1, kind.name, (kind.parent ?? -1) + 1])
    }
    for (number, kind) in kinds.enumerated() where kind.parent == nil {
      var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZMARK VARCHAR"]
      for part in kinds where part.root == number {
        columns += part.attributes.map { "\(column($0.name)) \(Self.declared($0.type))" }
        columns += part.links.map { "\(column($0.name)) INTEGER, Z\($0.target + 1)_\($0.name.uppercased()) INTEGER" }
        if let twin = part.twin { columns.append("\(twin) VARCHAR") }
      }
      columns.shuffle(using: &random)
      try file.run("CREATE TABLE \(column(kind.name)) (\(columns.joined(separator: ", ")))")
      if random.once(in: 2) { try file.run("CREATE INDEX \(column(kind.name))_Z_ENT_INDEX ON \(column(kind.name)) (Z_ENT)") }
      for part in kinds where part.root == number {
        for link in part.links where link.isByAttribute || random.once(in: 2) {
          let name = column(link.name)
          try file.run("CREATE INDEX \(column(part.name))_\(name)_INDEX ON \(column(kind.name)) (\(name))")
        }
      }
    }
    if random.once(in: 2) {
      try file.run(
        """
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1);
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
        INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 0.5);
        """)
    }
    for (number, kind) in kinds.enumerated() {
      for pair in kind.pairs {
        let (one, other) = ("Z_\(pair.inverseColumn(of: number))", "Z_\(pair.targetColumn)")
        let order =
          (pair.isOrdered ? ", Z_FOK_\(pair.targetColumn) INTEGER" : "")
          + (pair.isInverseOrdered ? ", Z_FOK_\(pair.inverseColumn(of: number)) INTEGER" : "")
        let sides = [one, other].shuffled(using: &random).map { "\($0) INTEGER" }.joined(separator: ", ")
        try file.run("CREATE TABLE \(pair.table(of: number)) (\(sides)\(order), PRIMARY KEY (\(one), \(other)))")
      }
    }
    for row in rows {
      var values: [(String, DatabaseValue)] = [
        ("Z_PK", row.number.databaseValue), ("Z_ENT", (row.kind + 1).databaseValue), ("Z_OPT", 1.databaseValue),
        ("ZMARK", row.mark.databaseValue),
      ]
      for part in ancestors(row.kind) {
        for attribute in kinds[part].attributes {
          guard let value = row.values[attribute.name] else { continue }
          values.append((column(attribute.name), try Self.stored(value, attribute.isExternal, file, &random)))
        }
        if let column = kinds[part].twin, case .text(let text)? = row.twin { values.append((column, text.databaseValue)) }
        for link in kinds[part].links {
          guard let other = row.links[link.name] else { continue }
          values.append((column(link.name), rows[other].number.databaseValue))
          values.append(("Z\(link.target + 1)_\(link.name.uppercased())", (rows[other].kind + 1).databaseValue))
        }
        for pair in kinds[part].pairs {
          for (place, other) in (row.pairs[pair.name] ?? []).enumerated() {
            var values: [(String, Int64)] = [
              ("Z_\(pair.inverseColumn(of: part))", row.number), ("Z_\(pair.targetColumn)", rows[other].number),
            ]
            if pair.isOrdered { values.append(("Z_FOK_\(pair.targetColumn)", Int64(place + 1) * 1024)) }
            if pair.isInverseOrdered { values.append(("Z_FOK_\(pair.inverseColumn(of: part))", 1024)) }
            try file.insert(into: pair.table(of: part), values.map { ($0, $1.databaseValue) })
          }
        }
      }
      try file.insert(into: column(kinds[kinds[row.kind].root].name), values)
    }
  }

  private static func declared(_ type: AttributeType) -> String {
    switch type {
    case .integer, .bool: "INTEGER"
    case .real: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .data, .uuid: "BLOB"
    default: "VARCHAR"
    }
  }

  private static func stored(_ value: Scalar, _ isExternal: Bool, _ file: CoreDataFile, _ random: inout RandomSource) throws
    -> DatabaseValue
  {
    switch value {
    case .bool(let value): value.databaseValue
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let text): text.databaseValue
    case .date(let date): date.timeIntervalSinceReferenceDate.databaseValue
    case .decimal(let decimal): decimal.description.databaseValue
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Data($0) }.databaseValue
    case .data(let data):
      if !isExternal {
        data.databaseValue
      } else if random.once(in: 2) {
        (Data([1]) + data).databaseValue
      } else {
        try file.external(data).databaseValue
      }
    case .null: .null
    }
  }
}
