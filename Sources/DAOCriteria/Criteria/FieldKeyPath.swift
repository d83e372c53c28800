/// The key path of a field: `\.name`, rooted in the entity's fields.
public typealias FieldKeyPath<Root: Entity, Value: AttributeValue> = KeyPath<Root.Fields, Field<Value>>
