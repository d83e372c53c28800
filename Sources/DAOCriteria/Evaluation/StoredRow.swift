/// A row in stored form, in the order of its entity's attributes.
package typealias StoredRow = [StoredValue]
