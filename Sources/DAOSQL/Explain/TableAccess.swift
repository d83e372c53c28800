import DAOCriteria

/// The terms of a statement over one table that an index could serve.
struct TableAccess {
  let entity: EntityDescription
  /// Attributes that are equal to a value.
  var equal: [Attribute] = []
  /// Attributes that are equal to one of several values, so that the rows found by them are in no order.
  var among: [Attribute] = []
  /// Attributes that are greater or less than a value.
  var ranges: [Attribute] = []
  /// The orders of the rows; empty where no index has that order.
  var orders: [(attribute: Attribute, isDescending: Bool)] = []

  init(_ entity: EntityDescription, equal: [Attribute] = []) {
    self.entity = entity
    self.equal = equal
  }

  /// Indexes of which any may serve: the equal attributes, then the order or one range. More columns than these rarely distinguish more
  /// rows.
  var indexes: [CandidateIndex] {
    let fixed = equal.distinct.prefix(4)
    let found = (equal + among).distinct.prefix(4)
    var indexes: [CandidateIndex] = []
    func add(_ attributes: [Attribute], descending: [String] = []) {
      guard let index = CandidateIndex(entity, attributes, descending: descending), !indexes.contains(index) else { return }
      indexes.append(index)
    }
    let sorted = sorted
    if !sorted.isEmpty { add(fixed + sorted.map(\.attribute), descending: sorted.filter(\.isDescending).map(\.attribute.name)) }
    for range in ranges.distinct.prefix(3) where !found.contains(range) { add(found + [range]) }
    add(Array(found))
    return indexes
  }

  /// The orders as an index has them. An index can be read backward; and it ends in the row id by itself, after which no order has any
  /// effect.
  private var sorted: [(attribute: Attribute, isDescending: Bool)] {
    var rest: [(attribute: Attribute, isDescending: Bool)] = []
    for order in orders where !(equal + rest.map(\.attribute)).contains(order.attribute) { rest.append(order) }
    let key = entity.hasGeneratedKey ? entity.keyAttributes.first : nil
    let isBackward = (rest.first { $0.attribute == key } ?? rest.first)?.isDescending == true
    return rest.prefix { $0.attribute != key }.map { ($0.attribute, $0.isDescending != isBackward) }
  }
}

/// An index that may serve.
struct CandidateIndex: Hashable {
  let entity: EntityDescription
  let index: Index

  /// Nil where there can be none: of a view, or of the key that rows are kept by.
  init?(_ entity: EntityDescription, _ attributes: [Attribute], descending: [String] = []) {
    let names = attributes.distinct.map(\.name)
    let isKey = entity.hasGeneratedKey && names.contains { entity.key.attributes.contains($0) }
    guard !entity.isReadOnly, !names.isEmpty, !isKey else { return nil }
    self.entity = entity
    index = Index(on: names, descending: descending, unique: false)
  }

  /// The index under a name that is free.
  func named(besides taken: Set<String>) -> QueryPlan.MissingIndex {
    var name = SchemaSQL.name(of: index, of: entity)
    while taken.contains(where: { SchemaName.same($0, name) }) { name += "_2" }
    return QueryPlan.MissingIndex(entity: entity.name, index: index, name: name, sql: SchemaSQL.index(index, of: entity, named: name))
  }
}

extension Sequence<Attribute> {
  /// Each once.
  fileprivate var distinct: [Attribute] {
    var distinct: [Attribute] = []
    for attribute in self where !distinct.contains(attribute) { distinct.append(attribute) }
    return distinct
  }
}
