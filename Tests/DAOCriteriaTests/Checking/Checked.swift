import CriteriaTesting
import DAOCriteria
import Testing

/// The problems of a query of zones, as they read.
func checked(
  _ criteria: SearchCriteria<Clock.Zone>, for use: Criteria.Use = .entities, sourceLocation: SourceLocation = #_sourceLocation
) -> [String] {
  problems({ try criteria.criteria.check(use, in: EntityTarget(Clock.Zone.entityDescription)) }, sourceLocation: sourceLocation)
}

/// Asserts the problems of a filter of zones, whatever is done with the rows, and that its negation has the same.
func assertProblems(_ filter: Filter<Clock.Zone>, _ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) {
  let change = Criteria.Change(.field(FieldPath("name")), .value("x"))
  for use in [Criteria.Use.entities, .page, .keys, .count, .exists, .delete, .update([change])] {
    #expect(checked(.where(filter), for: use) == expected, "\(use)", sourceLocation: sourceLocation)
    #expect(checked(.where(!filter), for: use) == expected, "\(use) of not", sourceLocation: sourceLocation)
  }
}
