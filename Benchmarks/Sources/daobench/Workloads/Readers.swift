import DAOKit
import Foundation
import GRDB

extension Workload {
  /// Two threads with the pages of `criteria-page` each; DAOKit's share one DAO, those of `c` have a connection each.
  static let readers = Workload(
    "readers", per: "page", count: 2 * pageCount.full, quickCount: 2 * pageCount.quick, limit: 1.2
  ) { stage in
    let pages = stage.pages
    let url = try stage.readings()
    let c = [try CPages(url), try CPages(url)]
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).dao(ReadingDAO.init)
    return [
      Contestant(.c) {
        Threads(c.map { c in { try pages.map { try c.page($0) } } })
      } work: {
        try $0.run()
      } digest: {
        digest($0.joined().joined())
      },
      Contestant(.daokit) {
        Threads((0..<2).map { _ in { try pages.map { try readings.page($0) } } })
      } work: {
        try $0.run()
      } digest: {
        digest($0.joined().joined())
      },
      Contestant(.grdb) {
        Threads((0..<2).map { _ in { try pages.map { number in try pool.read { try GRDBReading.page(number).fetchAll($0) } } } })
      } work: {
        try $0.run()
      } digest: {
        digest($0.joined().joined().lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        Threads((0..<2).map { _ in { try pages.map { number in try pool.read { try CodableReading.page(number).fetchAll($0) } } } })
      } work: {
        try $0.run()
      } digest: {
        digest($0.joined().joined().lazy.map(\.reading))
      },
    ]
  } expected: { stage in
    let pages = Reading.pages(stage.pages)
    return digest((pages + pages).joined())
  }

  /// What two threads take for 5,000 pages each over what one takes for 5,000: 1 where they do not wait for each other.
  static let readersOverOne = Workload("readers (over one thread)", unit: "× one thread", limit: .value(1.3)) { stage in
    let pages = stage.pages
    let url = try stage.readings()
    let c = [try CPages(url), try CPages(url)]
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).dao(ReadingDAO.init)
    return [
      Contestant(.c) {
        try await twoOverOne(c.map { c in { try pages.map { try c.page($0) } } }) { $0 }
      },
      Contestant(.daokit) {
        try await twoOverOne((0..<2).map { _ in { try pages.map { try readings.page($0) } } }) { $0 }
      },
      Contestant(.grdb) {
        try await twoOverOne(
          (0..<2).map { _ in { try pages.map { number in try pool.read { try GRDBReading.page(number).fetchAll($0) } } } }
        ) { $0.reading }
      },
    ]
  } expected: { stage in
    let pages = Reading.pages(stage.pages)
    return digest((pages + pages + pages).joined())
  }

  private static func twoOverOne<Record: Sendable>(
    _ bodies: [@Sendable () throws -> [[Record]]], _ reading: (Record) -> Reading
  ) async throws -> Lap {
    let alone = Threads([bodies[0]])
    let one = try await timed { try alone.run() }
    let together = Threads(bodies)
    let two = try await timed { try together.run() }
    return Lap(value: two.seconds / one.seconds, digest: digest((one.output + two.output).joined().joined().lazy.map(reading)))
  }
}
