/// What a person knows of a store that other programs made and its schema does not say: the form of a column's values, the key of a view,
/// and columns that point to rows of another table.
///
/// ```swift
/// let known = SchemaCorrections(
///   types: ["Invoice": ["InvoiceDate": .date(.text("YYYY-MM-DD HH:MM:SS")), "Total": .decimal(.numeric(2))]],
///   keys: ["SalesByCountry": ["Country"]],
///   relationships: [StatedForeignKey("Invoice", "CustomerId", to: "Customer", "CustomerId")])
/// let factory = try DAOFactory(store: .file(url), corrections: known)
/// let large = try factory.runtimeDAO("Invoice").findAll(.where { $0["Customer.Country"] == "Norway" && $0.Total > 5 })
/// ```
///
/// Tables and columns have the names that they have in the store. Dynamic entities are described by the schema and the corrections
/// together, those that relationships lead to as well. Swift types say the same with the options of their attributes.
public struct SchemaCorrections: Sendable, Hashable {
  /// The types of columns, by their tables' and their own names.
  public var types: [String: [String: AttributeType]]
  /// The columns that identify a row of a view, by the view's name. Without them all columns together do.
  public var keys: [String: [String]]
  /// Foreign keys that the store does not declare.
  public var relationships: [StatedForeignKey]

  /// Corrections.
  public init(types: [String: [String: AttributeType]] = [:], keys: [String: [String]] = [:], relationships: [StatedForeignKey] = []) {
    self.types = types
    self.keys = keys
    self.relationships = relationships
  }

  /// The tables and views that the corrections name.
  package var tables: Set<SchemaName> {
    Set((Array(types.keys) + Array(keys.keys) + relationships.flatMap { [$0.table, $0.target] }).map(SchemaName.init))
  }
}
