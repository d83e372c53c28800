/// The entities that the consumers of a feed follow, all together: another object whenever they are others.
package final class ChangeInterest: Sendable {
  /// The entities, each once, with all that anybody wants.
  package let entities: [FollowedEntity]

  init(_ followed: some Sequence<FollowedEntity>) {
    var wanted: [EntityDescription: FollowedEntity] = [:]
    for one in followed {
      var all = wanted[one.entity] ?? one
      all.withAttributes = all.withAttributes || one.withAttributes
      all.withRows = all.withRows || one.withRows
      wanted[one.entity] = all
    }
    entities = wanted.values.sorted { $0.entity.name < $1.entity.name }
  }
}
