import DAOKit
import Foundation

extension Workload {
  /// The stations of which any, all or none of their ten probes have a level, of 100,000: with a level that one probe in a thousand has,
  /// and with one that nine of ten have. c is the fastest of the forms in which a person would write it.
  static let quantifiers: [Workload] = Quantifier.allCases.flatMap { quantifier in
    [("selective", 999), ("unselective", 100)].map { name, level in
      Workload("quantifiers (\(quantifier.rawValue), \(name))", per: "station", count: 100_000, quickCount: 5_000, limit: 1.1) { stage in
        let url = try stage.probes()
        let c = try quantifier.fastest(CDatabase(url, isReadOnly: true), level)
        let stations = try DAOFactory(store: .file(url), entities: Station.self, Probe.self).runtimeDAO(Station.self)
        return [
          Contestant(.c) {
            try quantifier.ids(c, level)
          } digest: {
            digest($0)
          },
          Contestant(.daokit) {
            try stations.findAllIDs(.where(quantifier.filter(level)))
          } digest: {
            digest($0)
          },
        ]
      } expected: { stage in
        let levels = Dictionary(grouping: Probes(stage.stationCount).all, by: \.station)
        return digest(levels.filter { _, probes in quantifier.holds(probes.map { $0.level >= level }) }.map { Int64($0.key) })
      }
    }
  }
}

private enum Quantifier: String, CaseIterable {
  case any, all, none

  func holds(_ fits: [Bool]) -> Bool {
    switch self {
    case .any: fits.contains(true)
    case .all: !fits.contains(false)
    case .none: !fits.contains(true)
    }
  }

  func filter(_ level: Int) -> Filter<Station> {
    switch self {
    case .any: .any(\.probes, \.level >= level)
    case .all: .all(\.probes, \.level >= level)
    case .none: .none(\.probes, \.level >= level)
    }
  }

  /// What `c` may choose from: EXISTS, IN, DISTINCT over a join, HAVING over groups.
  private var forms: [String] {
    let probes = "SELECT probe.station FROM probe WHERE probe.level"
    switch self {
    case .any:
      return [
        "SELECT id FROM station WHERE EXISTS (SELECT 1 FROM probe WHERE probe.station = station.id AND probe.level >= ?1)",
        "SELECT id FROM station WHERE id IN (\(probes) >= ?1)",
        "SELECT DISTINCT station.id FROM station JOIN probe ON probe.station = station.id WHERE probe.level >= ?1",
        "SELECT station.id FROM station JOIN probe ON probe.station = station.id GROUP BY station.id HAVING MAX(probe.level) >= ?1",
      ]
    case .all:
      return [
        "SELECT id FROM station WHERE NOT EXISTS (SELECT 1 FROM probe WHERE probe.station = station.id AND probe.level < ?1)",
        "SELECT id FROM station WHERE id NOT IN (\(probes) < ?1)",
        "SELECT DISTINCT station.id FROM station LEFT JOIN probe ON probe.station = station.id AND probe.level < ?1 "
          + "WHERE probe.id IS NULL",
        "SELECT station.id FROM station LEFT JOIN probe ON probe.station = station.id GROUP BY station.id "
          + "HAVING coalesce(MIN(probe.level) >= ?1, 1)",
      ]
    case .none:
      return [
        "SELECT id FROM station WHERE NOT EXISTS (SELECT 1 FROM probe WHERE probe.station = station.id AND probe.level >= ?1)",
        "SELECT id FROM station WHERE id NOT IN (\(probes) >= ?1)",
        "SELECT DISTINCT station.id FROM station LEFT JOIN probe ON probe.station = station.id AND probe.level >= ?1 "
          + "WHERE probe.id IS NULL",
        "SELECT station.id FROM station LEFT JOIN probe ON probe.station = station.id GROUP BY station.id "
          + "HAVING coalesce(MAX(probe.level) < ?1, 1)",
      ]
    }
  }

  /// The form that takes the least time for this level, at its best of four runs in turn.
  func fastest(_ database: CDatabase, _ level: Int) throws -> CStatement {
    let statements = try forms.map { try CStatement(database, $0) }
    var times = statements.map { _ in Duration.seconds(3_600) }
    for _ in 0..<4 {
      for (form, statement) in statements.enumerated() {
        let start = ContinuousClock.now
        _ = try ids(statement, level)
        times[form] = min(times[form], start.duration(to: .now))
      }
    }
    return statements[times.indices.min { times[$0] < times[$1] } ?? 0]
  }

  func ids(_ statement: CStatement, _ level: Int) throws -> [Int64] {
    statement.bind(Int64(level), 1)
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.integer(0)) }
    statement.reset()
    return ids
  }
}

/// Ten probes for each station, in no order: they came as they were found.
private struct Probes {
  let all: [(station: Int, level: Int)]

  init(_ stationCount: Int) {
    var random = Random(10)
    all = (0..<10 * stationCount).map { $0 / 10 + 1 }.shuffled(using: &random).map { ($0, random.below(1000)) }
  }
}

extension Stage {
  fileprivate var stationCount: Int { isQuick ? 5_000 : 100_000 }

  fileprivate func probes() throws -> URL {
    try store("probes") { database in
      let station = try CStatement(database, "INSERT INTO station (id, name) VALUES (?1, ?2)")
      for id in 1...stationCount {
        station.bind(Int64(id), 1)
        station.bind("station \(id)", 2)
        try station.run()
      }
      let probe = try CStatement(database, "INSERT INTO probe (station, level, note) VALUES (?1, ?2, ?3)")
      for (owner, level) in Probes(stationCount).all {
        probe.bind(Int64(owner), 1)
        probe.bind(Int64(level), 2)
        probe.bind("as it was found", 3)
        try probe.run()
      }
    }
  }
}

private func digest(_ ids: [Int64]) -> Int {
  var hasher = Hasher()
  for id in ids.sorted() { hasher.combine(id) }
  return hasher.finalize()
}
