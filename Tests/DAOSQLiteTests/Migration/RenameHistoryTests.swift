import DAOCriteria
import DAOSQL
import Foundation
import TestCases
import Testing

@testable import DAOSQLite

/// Stores that skipped releases, in which names moved from one attribute or entity to another.
@Suite("Migration: releases that were skipped")
struct RenameHistoryTests {
  /// Names as they move from release to release: each of what has one keeps its number, gets other names, and some are added.
  private struct History {
    /// By release, who is there under which name.
    private(set) var releases: [[Int: String]] = [[0: "a", 1: "b"]]
    /// The names that each had, the latest first.
    private(set) var former: [Int: [String]] = [:]

    init(_ random: inout some RandomNumberGenerator) {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        var now = releases.last ?? [:]
        // Some get other names, all at once: a name that one gives up is free for another. None gets back one that it had.
        for (number, old) in now.sorted(by: { $0.key < $1.key }).shuffled(using: &random) where Bool.random(using: &random) {
          let names = Self.names.filter { !now.values.contains($0) && !former[number, default: []].contains($0) }
          guard let new = names.randomElement(using: &random) else { continue }
          now[number] = new
          former[number, default: []].insert(old, at: 0)
        }
        let names = Self.names.filter { !now.values.contains($0) }
        if let new = names.randomElement(using: &random), Bool.random(using: &random) { now[count] = new }
        count = max(count, (now.keys.max() ?? 0) + 1)
        releases.append(now)
      }
    }

    private var count = 2
    private static let names = ["a", "b", "c", "d"]

    /// Whether the last release says of one name that two had it, which is refused, or that names went round.
    var isAmbiguous: Bool {
      let last = releases.last ?? [:]
      let all = last.keys.flatMap { former[$0, default: []] }
      return Set(all).count < all.count
        || !Migration.exchanged(last.map { (name: $0.value, before: former[$0.key, default: []]) }).isEmpty
    }
  }

  private static let id = Attribute("id", .integer)

  @Test func `each value is under the name that its attribute has by now, whichever releases the store has missed`() throws {
    var random = RandomSource(seed: TestCases.seed)
    var tried = 0
    while tried < TestCases.count(150, inSuite: 40) {
      let history = History(&random)
      guard !history.isAmbiguous, let last = history.releases.last else { continue }
      let attributes = last.sorted { $0.key < $1.key }.shuffled(using: &random).map { number, name in
        Attribute(name, .text, optional: true, renamedFrom: history.former[number, default: []])
      }
      let entity = EntityDescription("t", key: .generated("id"), attributes: [Self.id] + attributes)
      guard let release = history.releases.dropLast().randomElement(using: &random) else { continue }
      let store = try Migrated(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, \(release.values.sorted().map { "\($0) TEXT" }.joined(separator: ", ")));
        INSERT INTO t (id, \(release.map(\.value).joined(separator: ", ")))
        VALUES (1, \(release.map { "'\($0.key)'" }.joined(separator: ", ")))
        """)
      tried += 1
      let told = "\(history.releases), from \(release): \(attributes.map { "\($0.name) \($0.renamedFrom)" })"
      do { try store.migrate([entity]) } catch { Issue.record("\(error): \(told)") }
      let names = last.sorted { $0.key < $1.key }
      let expected = names.map { release[$0.key] == nil ? "NULL" : "'\($0.key)'" }.joined(separator: " ")
      #expect(try store.rows("SELECT \(names.map(\.value).joined(separator: ", ")) FROM t") == [expected], "\(told)")
    }
  }

  @Test func `each row is in the table that its entity has by now, whichever releases the store has missed`() throws {
    var random = RandomSource(seed: ~TestCases.seed)
    var tried = 0
    while tried < TestCases.count(150, inSuite: 40) {
      let history = History(&random)
      guard !history.isAmbiguous, let last = history.releases.last else { continue }
      let entities = last.sorted { $0.key < $1.key }.shuffled(using: &random).map { number, name in
        EntityDescription(
          name, key: .generated("id"), attributes: [Self.id, Attribute("n", .integer, optional: true)],
          renamedFrom: history.former[number, default: []])
      }
      guard let release = history.releases.dropLast().randomElement(using: &random) else { continue }
      let store = try Migrated(
        release.map {
          """
          CREATE TABLE \($0.value) (id INTEGER PRIMARY KEY NOT NULL, n INTEGER);
          INSERT INTO \($0.value) VALUES (1, \($0.key));
          """
        }
        .joined())
      tried += 1
      let told = "\(history.releases), from \(release): \(entities.map { "\($0.name) \($0.renamedFrom)" })"
      do { try store.migrate(entities) } catch { Issue.record("\(error): \(told)") }
      for (number, name) in last {
        let expected = release[number] == nil ? [] : ["\(number)"]
        #expect(try store.rows("SELECT n FROM \(name)") == expected, "\(name): \(told)")
      }
    }
  }
}
