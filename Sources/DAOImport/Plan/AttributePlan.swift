import DAOKit

/// How records have the values of an attribute.
final class AttributePlan {
  let attribute: Attribute
  /// Its position among the attributes of the entity.
  let position: Int
  /// The paths of the value, tried in this order.
  let paths: [RecordPath]
  let absent, null: ValueRule
  /// Reads the value.
  let reader: ValueReader
  let hooks: AttributeHooks?
  /// The columns of the hooks: the attribute's own.
  let columns: RowColumns
  /// Whether the store generates it.
  let isGenerated: Bool
  /// The default of the description, else null.
  let defaultValue: StoredValue

  init(_ attribute: Attribute, at position: Int, _ mapping: AttributeMapping, _ hooks: AttributeHooks?, isGenerated: Bool = false) {
    self.attribute = attribute
    self.position = position
    self.hooks = hooks
    self.isGenerated = isGenerated
    paths = mapping.paths.isEmpty ? [[attribute.name]] : mapping.paths
    (absent, null) = (mapping.absent, mapping.null)
    reader = ValueReader(attribute.type, dates: mapping.dates)
    columns = RowColumns([attribute.type])
    defaultValue = attribute.defaultValue.flatMap { try? attribute.type.stored($0) } ?? .null
  }

  /// The problems of the mapping, each in one sentence without a subject.
  var problems: [String] {
    paths.filter { $0.names.isEmpty || $0.names.contains("") }.map { "is mapped to the path '\($0)', which has an empty name" }
  }

  /// The value that a rule gives a row; nil where the row keeps its own.
  /// - Throws: ``ValueProblem`` where the rule refuses the record.
  func value(of rule: ValueRule, _ reason: String) throws -> StoredValue? {
    switch rule {
    case .keep: nil
    case .null: .null
    case .useDefault: defaultValue
    case .refuse: throw ValueProblem(reason)
    }
  }
}
