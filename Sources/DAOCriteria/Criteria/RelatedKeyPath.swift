/// The key path of a to-many relationship: `\.transitions`, rooted in the entity's fields.
public typealias RelatedKeyPath<Root: Entity, Target: Entity> = KeyPath<Root.Fields, RelatedField<Target>>
