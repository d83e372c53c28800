import DAOKit
import Foundation

/// The clock's queries of zones: a custom DAO, where an app keeps its logic.
final class ZoneDAO: DAO<Zone>, @unchecked Sendable {
  /// The zones of a country, by name, each with all its countries.
  func zones(of countryCode: String) throws -> [Zone] {
    try findAll(.where(.any(\.countries, \.code == countryCode)).order(by: \.name).prefetch(\.countries))
  }

  /// Returns the local time of a zone at an instant, and the next change.
  func clock(of zone: Zone, at instant: Date) throws -> Clock {
    let transitions = RuntimeDAO<Transition>(context)
    let ofZone: Filter<Transition> = \.zoneID == zone.id
    let last = try transitions.findFirst(.where(ofZone && \.instant <= instant).order(by: .descending(\.instant)))
    let next = try transitions.findFirst(.where(ofZone && \.instant > instant).order(by: \.instant))
    return Clock(instant: instant, offset: last?.offsetAfter ?? next?.offsetBefore ?? zone.standardOffset, next: next)
  }
}

/// A zone's time at an instant.
struct Clock {
  let instant: Date
  /// Seconds east of UTC.
  let offset: Int
  let next: Transition?
}
