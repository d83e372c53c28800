import DAOKit
import Foundation

// A person's own way has two statements too, and looks up the rows that belong together in a dictionary.
extension Workload {
  /// 200 stations, each with its 37 probes.
  static let prefetchMany = Workload("prefetch (37 of each)", per: "probe", count: 7_400, limit: 1.30) { stage in
    let url = try stage.stations(200, probesOfEach: 37)
    let c = try CNetwork(url)
    let stations = try DAOFactory(store: .file(url), entities: Station.self, Probe.self).runtimeDAO(Station.self)
    return [
      Contestant(.c) {
        try c.stations()
      } digest: { (found: [CNetwork.CStation]) in
        var digest = Digest()
        for station in found { for probe in station.probes { digest.add(station.id, probe.id, probe.note) } }
        return digest.sum
      },
      Contestant(.daokit) {
        try stations.findAll(SearchCriteria().prefetch(\.probes))
      } digest: { (found: [Station]) in
        var digest = Digest()
        for station in found { for probe in try station.probes.get() { digest.add(station.id ?? 0, probe.id ?? 0, probe.note) } }
        return digest.sum
      },
    ]
  } expected: { _ in
    var digest = Digest()
    for number in 0..<Int64(7_400) { digest.add(number / 37 + 1, number + 1, note) }
    return digest.sum
  }

  /// 10,000 probes, each with its station, of 1,000.
  static let prefetchOne = Workload("prefetch (one of each)", per: "probe", count: 10_000, limit: 1.30) { stage in
    let url = try stage.stations(1_000, probesOfEach: 10)
    let c = try CNetwork(url)
    let probes = try DAOFactory(store: .file(url), entities: Station.self, Probe.self).runtimeDAO(Probe.self)
    return [
      Contestant(.c) {
        try c.probes()
      } digest: { (found: [(probe: CNetwork.CProbe, station: CNetwork.CStation)]) in
        var digest = Digest()
        for row in found { digest.add(row.station.id, row.probe.id, row.station.name) }
        return digest.sum
      },
      Contestant(.daokit) {
        try probes.findAll(SearchCriteria().prefetch(\.station))
      } digest: { (found: [Probe]) in
        var digest = Digest()
        for probe in found { digest.add(try probe.station.get().id ?? 0, probe.id ?? 0, try probe.station.get().name) }
        return digest.sum
      },
    ]
  } expected: { _ in
    var digest = Digest()
    for number in 0..<Int64(10_000) { digest.add(number / 10 + 1, number + 1, "station \(number / 10 + 1)") }
    return digest.sum
  }
}

private let note = "as it was found"

/// Reads stations and probes by statements of SQLite's own.
private final class CNetwork {
  struct CStation {
    let id: Int64
    let name: String
    var probes: [CProbe] = []
  }

  struct CProbe {
    let id: Int64
    let station: Int64
    let level: Int64
    let note: String
  }

  private let all, probesOf, allProbes, stationsOf: CStatement

  init(_ url: URL) throws {
    let database = try CDatabase(url, isReadOnly: true)
    all = try CStatement(database, "SELECT id, name FROM station")
    probesOf = try CStatement(database, "SELECT id, station, level, note FROM probe WHERE station IN (SELECT value FROM json_each(?1))")
    allProbes = try CStatement(database, "SELECT id, station, level, note FROM probe")
    stationsOf = try CStatement(database, "SELECT id, name FROM station WHERE id IN (SELECT value FROM json_each(?1))")
  }

  func stations() throws -> [CStation] {
    var stations: [CStation] = []
    var places: [Int64: Int] = [:]
    while try all.step() {
      places[all.integer(0)] = stations.count
      stations.append(CStation(id: all.integer(0), name: all.text(1)))
    }
    all.reset()
    probesOf.bind(list(stations.map(\.id)), 1)
    while try probesOf.step() {
      let probe = Self.probe(probesOf)
      if let place = places[probe.station] { stations[place].probes.append(probe) }
    }
    probesOf.reset()
    return stations
  }

  func probes() throws -> [(probe: CProbe, station: CStation)] {
    var probes: [CProbe] = []
    var wanted: Set<Int64> = []
    while try allProbes.step() {
      let probe = Self.probe(allProbes)
      wanted.insert(probe.station)
      probes.append(probe)
    }
    allProbes.reset()
    var stations: [Int64: CStation] = [:]
    stationsOf.bind(list(Array(wanted)), 1)
    while try stationsOf.step() { stations[stationsOf.integer(0)] = CStation(id: stationsOf.integer(0), name: stationsOf.text(1)) }
    stationsOf.reset()
    return probes.compactMap { probe in stations[probe.station].map { (probe, $0) } }
  }

  private static func probe(_ row: CStatement) -> CProbe {
    CProbe(id: row.integer(0), station: row.integer(1), level: row.integer(2), note: row.text(3))
  }

  private func list(_ ids: [Int64]) -> String { "[" + ids.map { "\($0)" }.joined(separator: ",") + "]" }
}

extension Stage {
  fileprivate func stations(_ count: Int, probesOfEach each: Int) throws -> URL {
    try store("stations \(count)") { database in
      let station = try CStatement(database, "INSERT INTO station (id, name) VALUES (?1, ?2)")
      let probe = try CStatement(database, "INSERT INTO probe (station, level, note) VALUES (?1, ?2, ?3)")
      for id in 1...count {
        station.bind(Int64(id), 1)
        station.bind("station \(id)", 2)
        try station.run()
        for level in 0..<each {
          probe.bind(Int64(id), 1)
          probe.bind(Int64(level), 2)
          probe.bind(note, 3)
          try probe.run()
        }
      }
    }
  }
}

/// Of rows, whatever their order is.
private struct Digest {
  private(set) var sum = 0

  mutating func add(_ station: Int64, _ probe: Int64, _ text: String) {
    var hasher = Hasher()
    hasher.combine(station)
    hasher.combine(probe)
    hasher.combine(text)
    sum &+= hasher.finalize()
  }
}
