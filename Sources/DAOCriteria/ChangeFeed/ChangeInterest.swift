/// The entities that the consumers of a feed follow, all together: another object whenever they are others.
package final class ChangeInterest: Sendable {
  /// The entities, each once: with attributes where anybody wants them.
  package let entities: [FollowedEntity]

  init(_ followed: some Sequence<FollowedEntity>) {
    var withAttributes: [EntityDescription: Bool] = [:]
    for one in followed { withAttributes[one.entity] = withAttributes[one.entity] ?? false || one.withAttributes }
    entities = withAttributes.map { FollowedEntity(entity: $0, withAttributes: $1) }.sorted { $0.entity.name < $1.entity.name }
  }
}
