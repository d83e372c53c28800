import DAOKit
import Foundation
import TestCases

/// A copy of the store that learns of its commits from the feed alone.
struct FeedCopy {
  typealias Key = [Scalar]
  typealias Rows = [Key: [Scalar]]

  private static let entities = Kinds.all.map { $0.entity }
  /// A row whose values come with the next ``settle(_:)``.
  private enum Change { case whole, attributes(Set<String>) }

  private let factory: DAOFactory
  private var tables: [Rows]
  private var changed: [[Key: Change]]
  private var feed: ChangeSequence.Iterator
  private let namesAttributes: Bool
  /// Whether the tables may be read again: then the commits that come next may be in them already.
  private let mayReload: Bool
  private var last = 0
  private(set) var sets = 0
  private(set) var reloads = 0

  /// - Parameter limit: how many commits the feed keeps until they are asked for.
  init(_ factory: DAOFactory, attributes: Bool, buffering limit: Int, mayReload: Bool) throws {
    self.factory = factory
    (namesAttributes, self.mayReload) = (attributes, mayReload)
    feed = try factory.changes(of: Self.entities, attributes: attributes, buffering: limit).makeAsyncIterator()
    tables = try Self.tables(factory)
    changed = Array(repeating: [:], count: Self.entities.count)
  }

  private static func tables(_ factory: DAOFactory) throws -> [Rows] {
    try factory.read { session in
      try entities.map { entity in
        let rows = try session.runtimeDAO(entity).findAll()
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.primaryKey ?? [], $0.values) })
      }
    }
  }

  /// Follows the feed up to the commit that adds a shelf, and compares with the store, to which nobody writes meanwhile.
  mutating func settle(upTo shelf: Int64) async throws {
    while let set = await feed.next() {
      let isLast = set[Shelf.entity].inserted.contains([.integer(shelf)])
      guard set.number > last else { throw TestCases.Difference("commit \(set.number) comes after \(last)") }
      last = set.number
      sets += 1
      if set.needsReload {
        guard mayReload else { throw TestCases.Difference("the feed knows less than it can: \(set)") }
        reloads += 1
        tables = try Self.tables(factory)
        changed = Array(repeating: [:], count: Self.entities.count)
        if tables[0][[.integer(shelf)]] != nil { break }
        continue
      }
      for (number, entity) in Self.entities.enumerated() { try follow(set[entity], number, entity) }
      if isLast { break }
    }
    try compare(Self.tables(factory))
  }

  private mutating func follow(_ changes: EntityChanges<DynamicEntity>, _ number: Int, _ entity: EntityDescription) throws {
    for key in changes.inserted {
      guard tables[number].updateValue([], forKey: key) == nil || mayReload else {
        throw TestCases.Difference("\(entity.name) \(key) is added twice")
      }
      changed[number][key] = .whole
    }
    for (position, key) in changes.updated.enumerated() {
      guard tables[number][key] != nil else {
        if mayReload { continue }
        throw TestCases.Difference("\(entity.name) \(key) is changed, but not there")
      }
      let named = changes.updatedAttributes?[position]
      if namesAttributes != (named != nil) { throw TestCases.Difference("\(entity.name) \(key): attributes are \(named ?? [])") }
      switch (changed[number][key], named) {
      case (.whole, _): break
      case (.attributes(let others), let named?): changed[number][key] = .attributes(others.union(named))
      case (nil, let named?): changed[number][key] = .attributes(named)
      case (_, nil): changed[number][key] = .whole
      }
    }
    for key in changes.deleted {
      guard tables[number].removeValue(forKey: key) != nil || mayReload else {
        throw TestCases.Difference("\(entity.name) \(key) is deleted, but not there")
      }
      changed[number][key] = nil
    }
  }

  /// Takes over the values that the feed has named, and looks whether all are the store's.
  private mutating func compare(_ now: [Rows]) throws {
    for (number, entity) in Self.entities.enumerated() {
      for (key, change) in changed[number] {
        guard let row = now[number][key] else { throw TestCases.Difference("\(entity.name) \(key) is gone, and the feed does not know") }
        switch change {
        case .whole: tables[number][key] = row
        case .attributes(let names):
          for (place, attribute) in entity.attributes.enumerated() where names.contains(attribute.name) {
            tables[number][key]?[place] = row[place]
          }
        }
      }
      let named = changed[number]
      changed[number] = [:]
      for key in Set(tables[number].keys).union(now[number].keys) where tables[number][key] != now[number][key] {
        let (copy, row) = (tables[number][key] ?? [], now[number][key] ?? [])
        let change = named[key].map { "\($0)" } ?? "nothing"
        throw TestCases.Difference("\(entity.name) \(key): \(copy) by the feed, which named \(change), \(row) in the store")
      }
    }
  }
}
