/// How records of feeds hold the values of an attribute: `DAOImport` reads and writes them by it.
///
/// ```swift
/// Attribute("lastName", .text, mapping: ["last_name", "name.last"])          // the first of the two that a record has
/// Attribute("born", .date(.iso8601), mapping: AttributeMapping("born", dates: [.pattern("dd.MM.yyyy")]))
/// Attribute("rating", .integer, default: 3, mapping: AttributeMapping(null: .useDefault))
/// Attribute("isFavourite", .bool, default: false, mapping: .excluded)        // the user's own, in no feed
/// ```
public struct AttributeMapping: Sendable, Hashable {
  /// The paths of the value, tried in this order; none stands for the attribute's name. A null counts as found.
  public var paths: [RecordPath]
  /// The forms of its dates, tried in this order. Exports write the first.
  public var dates: [DateForm]
  /// The effect of a record that has none of the paths.
  public var absent: ValueRule
  /// The effect of null.
  public var null: ValueRule
  /// Whether imports and exports pass over the attribute.
  public var isExcluded = false

  /// A mapping.
  /// - Parameters:
  ///   - paths: the paths of the value, tried in this order; none stands for the attribute's name.
  ///   - dates: the forms of its dates.
  ///   - absent: the effect of a record that has none of the paths.
  ///   - null: the effect of null.
  public init(_ paths: RecordPath..., dates: [DateForm] = [.iso8601], absent: ValueRule = .keep, null: ValueRule = .null) {
    self.init(paths: paths, dates: dates, absent: absent, null: null)
  }

  /// A mapping of the paths in a list.
  public init(paths: [RecordPath], dates: [DateForm] = [.iso8601], absent: ValueRule = .keep, null: ValueRule = .null) {
    self.paths = paths
    self.dates = dates
    self.absent = absent
    self.null = null
  }

  /// Imports and exports pass over the attribute.
  public static var excluded: AttributeMapping {
    var mapping = AttributeMapping()
    mapping.isExcluded = true
    return mapping
  }
}

extension AttributeMapping: ExpressibleByStringLiteral {
  /// A mapping of one path.
  public init(stringLiteral path: String) { self.init(RecordPath(stringLiteral: path)) }
}

extension AttributeMapping: ExpressibleByArrayLiteral {
  /// A mapping of paths that are tried in this order.
  public init(arrayLiteral paths: RecordPath...) { self.init(paths: paths) }
}
