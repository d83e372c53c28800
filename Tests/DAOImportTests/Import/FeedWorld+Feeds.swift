import DAOImport
import DAOKit
import Foundation
import TestCases

extension FeedWorld {
  /// The numbers of the entities, in an order in which each feed's rows need only those before it.
  var order: Range<Int> { kinds.indices }

  /// The records of a feed of one entity: each row once at least.
  func feed(of kind: Int, _ random: inout RandomSource) -> [ImportValue] {
    var records: [ImportValue] = []
    for row in rows.indices where rows[row].kind == kind {
      for repeats in 0..<(random.once(in: 4) ? 2 : 1) { records.append(record(row, root: kind, depth: repeats, &random)) }
    }
    records.shuffle(using: &random)
    return records
  }

  /// All values of a row, and the rows related to it: those before the feed's entity by their keys or as objects, others as objects.
  private func record(_ number: Int, root: Int, depth: Int, _ random: inout RandomSource) -> ImportValue {
    let (row, kind) = (rows[number], kinds[rows[number].kind])
    var record = ImportValue.object([:])
    for attribute in kind.attributes where attribute.name != "id" {
      record.set(row.values[attribute.name].map { Self.spelled($0, attribute.type, &random) } ?? .null, at: attribute, &random)
    }
    // Deep within others, the row says less: its own feed says all.
    for link in kind.links where depth <= 2 || !link.isOptional {
      guard let target = row.links[link.name] else {
        record.set(.null, at: [link.name])
        continue
      }
      // The row may be one of this feed's that comes later: only what may lead nowhere can wait for it.
      let isThere = link.target < root || link.target == root && link.isOptional && kind.name == kinds[root].name
      record.set(related(target, root: root, depth: depth, isThere: isThere, &random), at: [link.name])
    }
    if depth > 2 { return record }
    for child in kind.children where random.once(in: 2) {
      let own = rows.indices.filter { rows[$0].kind == child.target && rows[$0].links[child.link] == number }
      record.set(.list(own.map { related($0, root: root, depth: depth, isThere: child.target < root, &random) }), at: [child.name])
    }
    for pair in kind.pairs {
      record.set(
        .list((row.pairs[pair.name] ?? []).map { related($0, root: root, depth: depth, isThere: pair.target < root, &random) }),
        at: [pair.name])
    }
    return record
  }

  private func related(_ number: Int, root: Int, depth: Int, isThere: Bool, _ random: inout RandomSource) -> ImportValue {
    let (row, kind) = (rows[number], kinds[rows[number].kind])
    if isThere, depth > 2 || random.once(in: 2) {
      let keys = kind.attributes.filter { kind.identity.contains($0.name) }
      if keys.count == 1, let value = row.values[keys[0].name], random.once(in: 2) { return Self.spelled(value, keys[0].type, &random) }
      var record = ImportValue.object([:])
      for key in keys { record.set(row.values[key.name].map { Self.spelled($0, key.type, &random) } ?? .null, at: key, &random) }
      return record
    }
    return record(number, root: root, depth: depth + 1, &random)
  }

  /// A value in one of the ways in which feeds have it.
  private static func spelled(_ value: Scalar, _ type: AttributeType, _ random: inout RandomSource) -> ImportValue {
    switch (value, type) {
    case (.null, _): .null
    case (.bool(let value), _): random.pick([.bool(value), .text(value ? "Yes" : "off"), .number(value ? "1" : "0")])
    case (.integer(let value), .any): .number("\(value)")
    case (.integer(let value), _): random.pick([.number("\(value)"), .text("\(value)"), .number("\(value).0")])
    case (.real(let value), _): random.once(in: 2) ? .number("\(value)") : .text("\(value)")
    case (.text(let text), .json):
      switch text {
      case "{}": .object([:])
      case "[1,2]": .list([1, 2])
      case "7": 7
      case #""text""#: "text"
      default: .object(["a": "b"])
      }
    case (.text(let text), _): .text(text)
    case (.data(let data), _): .text(data.base64EncodedString())
    case (.uuid(let uuid), _): .text(random.once(in: 2) ? uuid.uuidString : uuid.uuidString.lowercased())
    case (.date(let date), _):
      random.once(in: 2) ? .number("\(Int(date.timeIntervalSince1970))") : .text(date.formatted(.iso8601))
    case (.decimal(let number), _): random.once(in: 2) ? .number("\(number)") : .text("\(number)")
    }
  }
}

extension ImportValue {
  /// Puts a value at the end of one of an attribute's paths.
  fileprivate mutating func set(_ value: ImportValue, at attribute: Attribute, _ random: inout RandomSource) {
    let paths = attribute.mapping.paths.isEmpty ? [[attribute.name]] : attribute.mapping.paths
    set(value, at: random.pick(paths).names)
  }

  fileprivate mutating func set(_ value: ImportValue, at names: [String]) {
    guard case .object(var members) = self, let first = names.first else { return }
    if names.count == 1 {
      members[first] = value
    } else {
      var inner = members[first] ?? .object([:])
      inner.set(value, at: Array(names.dropFirst()))
      members[first] = inner
    }
    self = .object(members)
  }
}
