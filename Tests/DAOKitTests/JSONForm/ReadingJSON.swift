import DAOKit
import Foundation

/// The criteria of zones that a JSON text says.
func decoded(
  _ json: String, allowing list: CriteriaDecoder.AllowList = .everything, limits: CriteriaDecoder.Limits = CriteriaDecoder.Limits()
) throws -> SearchCriteria<Clock.Zone> {
  try CriteriaDecoder(allowing: list, limits: limits).decode(SearchCriteria<Clock.Zone>.self, from: Data(json.utf8))
}

/// The JSON text around a filter of zones.
func json(filter: String) -> String { #"{"version":1,"entity":"zone","filter":\#(filter)}"# }
