import DAOCriteria
import Foundation

/// The criteria of zones that a JSON text says.
package func decoded(
  _ json: String, allowing list: CriteriaDecoder.AllowList = .everything, limits: CriteriaDecoder.Limits = CriteriaDecoder.Limits()
) throws -> SearchCriteria<Clock.Zone> {
  try CriteriaDecoder(allowing: list, limits: limits).decode(SearchCriteria<Clock.Zone>.self, from: Data(json.utf8))
}

/// The JSON text around a filter of zones.
package func json(filter: String) -> String { #"{"version":1,"entity":"zone","filter":\#(filter)}"# }

/// A query as deep as a store takes for 2, too deep for 3: relationships within functions within conditions.
package func nested(_ count: Int) -> String {
  // Two relationships within a function, and again, all within conditions: once more is too much for any store.
  let term = (0..<count).reduce(#""name""#) { inner, _ in
    #"{"coalesce":[{"max":"code","over":"country","where":{"some":"zones","where":{"isNull":\#(inner)}}},"name"]}"#
  }
  return json(
    filter: (0..<16).reduce("{\"isNull\":\(term)}") { part, level in
      "{\"\(level % 2 == 0 ? "all" : "any")\":[\(part),{\"isNull\":\"name\"}]}"
    })
}
