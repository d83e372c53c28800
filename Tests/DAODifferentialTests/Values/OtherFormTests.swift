import DAODifferential
import DAOKit
import Foundation
import Testing

/// Stored values that break their attribute's form, in sums and means.
struct OtherFormTests {
  private static func entity(_ type: AttributeType) -> EntityDescription {
    EntityDescription(
      "shelf", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("value", type, optional: true, searchable: false),
        Attribute("group", .integer, optional: true),
        Attribute("parentID", .integer, optional: true),
      ], relationships: [.toOne("parent", entity(type), by: "parentID"), .toMany("children", entity(type), by: "parentID")])
  }

  private static let text = StoredValue.text("abc")
  private static let bytes = StoredValue.blob(Data([1, 2]))

  /// Each type that is summed, a value of its form, and values of others that its column keeps.
  private static let forms: [(AttributeType, StoredValue, [StoredValue])] = [
    (.integer, .integer(3), [text, .real(1.5), bytes]), (.real, .real(0.5), [text, bytes]),
    (.decimal(.scaled(2)), .integer(3), [text, .real(1.5), bytes]), (.decimal(.text), .text("1.5"), [text, .text("1e5"), bytes]),
  ]

  /// The error, without the row, which is counted where rows are read and not where they are summed.
  private func failure(_ body: () throws -> Void) -> String? {
    do { try body() } catch DAOError.undecodable(let entity, let column, _, let problem) { return "\(entity).\(column) \(problem)" } catch {
      return "other: \(error)"
    }
    return nil
  }

  @Test(arguments: Both.allCases, forms.indices)
  func `a sum over one is the error of reading its row, wherever the sum stands`(which: Both, form: Int) throws {
    let (type, good, others) = Self.forms[form]
    let entity = Self.entity(type)
    let (value, target) = (Criteria.Term.field(FieldPath("value")), EntityTarget(entity))
    for other in others {
      let store = try which.store([good, other, good], in: entity)
      for id in 1...3 as ClosedRange<Int64> { try which.set(.integer(2), of: "parentID", id: id, in: entity, store) }
      let expected = failure { _ = try store.find(DynamicEntity.self, in: target, Criteria()) }?
        // A sum names the attribute's type in words.
        .replacing("expects integer,", with: "expects an integer,").replacing("expects double,", with: "expects a double,")
      #expect(expected?.hasPrefix("shelf.value expects") == true)
      for aggregate in [Aggregate.sum, .average] {
        func report(_ columns: [Criteria.Column], _ change: (inout Criteria) -> Void = { _ in }) -> String? {
          var criteria = Criteria()
          criteria.columns = columns
          change(&criteria)
          return failure { _ = try store.report(in: target, criteria) { row in try criteria.columns.map { _ in try row.takeScalar() } } }
        }
        func find(_ change: (inout Criteria) -> Void) -> String? {
          var criteria = Criteria()
          change(&criteria)
          return failure { _ = try store.findKeys(DynamicEntity.self, in: target, criteria) }
        }
        let (all, zero) = (
          Criteria.Term.aggregate(aggregate, value), Criteria.Term.value(type == .decimal(.text) || aggregate == .average ? .null : 0)
        )
        let related = Criteria.Term.related(aggregate, FieldPath("children"), value, .constant(true))
        let group = Criteria.Column(.field(FieldPath("group")), isGroup: true)
        let answers = [
          report([Criteria.Column(all, name: "a")]), report([group, Criteria.Column(all, name: "a")]),
          report([group]) { $0.having = .compare(all, .notEqual, zero) }, report([group]) { $0.orders = [Criteria.Ordering(all)] },
          report([Criteria.Column(related, name: "a")]), find { $0.filter = .compare(all, .notEqual, zero) },
          find { $0.filter = .compare(related, .notEqual, zero) }, find { $0.orders = [Criteria.Ordering(related)] },
          find { $0.filter = .some(FieldPath("children"), .compare(all, .notEqual, zero)) },
          find { $0.filter = .some(FieldPath("parent"), .compare(related, .notEqual, zero)) },
        ]
        for (number, answer) in answers.enumerated() { #expect(answer == expected, "\(type) \(aggregate), \(number)") }
      }
    }
  }

  @Test(arguments: Both.allCases)
  func `to functions of texts and of numbers it is null, as what is no text and no number`(which: Both) throws {
    for (type, other, function) in [
      (AttributeType.text, Self.bytes, Function.trim), (.text, Self.bytes, .lower), (.text, Self.bytes, .length),
      (.integer, Self.text, .abs),
      (.integer, Self.bytes, .abs), (.real, Self.text, .round), (.real, Self.text, .abs),
    ] {
      let entity = Self.entity(type)
      let store = try which.store([other], in: entity)
      let term = Criteria.Term.function(function, [.field(FieldPath("value"))])
      #expect(try store.keys(.isNull(term), of: entity) == [1], "\(type) \(function)")
      #expect(try store.keys(.not(.isNull(.field(FieldPath("value")))), of: entity) == [1])
      let ordered: Criteria.Condition = .compare(term, .less, .value(type == .text && function != .length ? "x" : 1))
      #expect(try store.keys(ordered, of: entity) == [] && store.keys(.not(ordered), of: entity) == [1], "\(type) \(function)")
    }
    let entity = Self.entity(.text)
    let store = try which.store([Self.bytes], in: entity)
    for match in Criteria.TextComparison.allCases {
      for caseSensitive in [true, false] {
        let fits = Criteria.Condition.matches(.field(FieldPath("value")), match, "", caseSensitive: caseSensitive)
        #expect(try store.keys(fits, of: entity) == [] && store.keys(.not(fits), of: entity) == [1], "\(match)")
      }
    }
  }
}
