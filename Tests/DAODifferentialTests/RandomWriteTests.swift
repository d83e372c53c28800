import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Random writes, in sessions and out, that meet keys, unique values and rows out of sight.
struct RandomWriteTests {
  /// A failure on purpose, so that a part of a session is taken back.
  private struct GivenUp: Error {}

  /// The same steps for both stores; what each returned or threw.
  private func steps(_ seed: UInt64, of entity: EntityDescription, on store: any EntityStore) -> [String] {
    var random = RandomSource(seed: seed)
    var transcript: [String] = []
    for _ in 0..<40 {
      if random.once(in: 5) {
        transcript.append(
          described {
            try store.write { session in
              for _ in 0..<3 { transcript.append(step(of: entity, on: session, &random)) }
              let inner = described {
                try session.write { savepoint in
                  for _ in 0..<2 { transcript.append(step(of: entity, on: savepoint, &random)) }
                  if random.once(in: 2) { throw GivenUp() }
                  return "kept"
                }
              }
              transcript.append("savepoint " + inner)
              if random.once(in: 3) { throw GivenUp() }
              return "committed"
            }
          })
      } else {
        transcript.append(step(of: entity, on: store, &random))
      }
      transcript.append(described { try table(store) })
    }
    return transcript
  }

  private func step(of entity: EntityDescription, on store: any EntityStore, _ random: inout RandomSource) -> String {
    let target = EntityTarget(
      entity, scope: random.pick([.constant(true), .compare(.field(FieldPath("tenant")), .equal, .value(1))]))
    let notes = (0..<random.below(4)).map { _ in note(&random) }
    switch random.below(7) {
    case 0, 1: return "insert " + described { try store.insert(notes, in: target) }
    case 2:
      return "update " + described { try store.update(notes.filter { $0.id != nil }, in: target) }
    case 3:
      let keys = notes.map { $0.id ?? 7 }
      return "delete " + described { try store.delete(Note.self, keys: keys, in: target) }
    case 4:
      var criteria = Criteria()
      criteria.filter = .compare(.field(FieldPath("priority")), .equal, .value(.integer(Int64(random.below(3)))))
      if random.once(in: 2) { criteria.limit = 1 }
      let isOfTitles = random.once(in: 2)
      return "change "
        + described {
          let change =
            isOfTitles
            ? Criteria.Change(.field(FieldPath("title")), .function(.lower, [.field(FieldPath("title"))]))
            : Criteria.Change(.field(FieldPath("priority")), .aggregate(.max, .field(FieldPath("priority"))))
          // A version is the store's to set.
          return try store.update(in: target, criteria, set: [change])
        }
    default:
      // A row that an upsert moves out of sight is another matter.
      let notes =
        target.scope.isAlwaysTrue ? notes : notes.map { Note(id: $0.id, $0.title, tenant: 1, body: $0.body, priority: $0.priority) }
      let rule = random.pick([
        UpsertRule(), UpsertRule(target: ["tenant", "title"]), UpsertRule(target: ["tenant", "title"], updating: ["body"]),
        UpsertRule(target: ["id"], updating: entity.versionAttribute == nil ? ["title", "priority"] : ["title"]),
        UpsertRule(target: ["tenant", "title"], updating: []),
      ])
      return "upsert \(rule) "
        + described {
          try store.upsert(notes, rule, in: target).map { "\($0.outcome) \($0.entity)" }
        }
    }
  }

  private func note(_ random: inout RandomSource) -> Note {
    Note(
      id: random.once(in: 3) ? nil : Int64(1 + random.below(6)), random.pick(["a", "A", "b", "", "é"]), tenant: 1 + random.below(2),
      body: random.once(in: 2) ? nil : random.pick(["x", ""]), priority: random.below(3))
  }

  private func table(_ store: any EntityStore) throws -> [Note] {
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("id")))]
    return try store.find(Note.self, in: EntityTarget(Note.entityDescription), criteria)
  }

  private func described(_ body: () throws -> Any) -> String {
    do { return "\(try body())" } catch let error as DAOError {
      switch error {
      case .constraint(let constraint, let entity, let attributes, _): return "constraint \(constraint) \(entity) \(attributes)"
      case .notFound(let entity, _): return "not found \(entity)"
      default: return "\(error)"
      }
    } catch { return "\(error)" }
  }

  @Test(arguments: [Note.entityDescription, Note.withVersion])
  func `random writes do the same to both stores`(_ entity: EntityDescription) throws {
    var seen: Set<String> = []
    for number in 0..<TestCases.count(60, inSuite: 30) {
      let seed = TestCases.seed &+ UInt64(number)
      let array = steps(seed, of: entity, on: try EvaluatorStore([entity]))
      let sqlite = steps(seed, of: entity, on: try Stores.sqlite(for: [entity]))
      let words = ["inserted", "updated", "unchanged", "unique", "primaryKey", "not found", "GivenUp", "committed", "kept", "was changed"]
      for word in words {
        if sqlite.contains(where: { $0.contains(word) }) { seen.insert(word) }
      }
      guard let first = zip(array, sqlite).enumerated().first(where: { $1.0 != $1.1 }) else { continue }
      Issue.record(
        """
        The stores part (DAO_FUZZ_SEED=\(seed)) at step \(first.offset):
          arrays: \(first.element.0)
          SQLite: \(first.element.1)
          before: \(array[max(0, first.offset - 1)])
        """)
      return
    }
    #expect(seen.count == (entity.versionAttribute == nil ? 9 : 10), "only \(seen.sorted())")
  }
}
