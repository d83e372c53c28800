import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// Paths that lead nowhere by themselves.
@Suite("Paths into JSON that can't be")
struct DocumentProblemTests {
  private let store: TestStore
  private let memory: DAOFactory

  init() throws { (store, memory) = (try .parcels(), try TestStore.parcelsInMemory()) }

  private func refused(_ filter: Filter<Parcel>, _ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let sent = store.trace.during {
      for factory in [store.factory, memory] {
        #expect(problems { _ = try factory.runtimeDAO(Parcel.self).findAll(.where(filter)) } == expected, sourceLocation: sourceLocation)
      }
    }
    #expect(sent.texts == [], sourceLocation: sourceLocation)
  }

  @Test func `another attribute, type, number of steps, or place: all at once`() {
    refused(.json(\.label, "a", as: String.self) == "x", "label: is text, and a path leads only into JSON")
    refused(.json(\.depot.id, "a", as: String.self) == "x", "depot.id: is integer, and a path leads only into JSON")
    refused(.json("detials", "a", as: Int.self) == 1, "detials: parcel has no attribute 'detials'; did you mean 'details'?")
    refused(.json("depot.city", "a", as: Int.self) == 1, "depot.city: depot has no attribute 'city'")
    refused(.json(\.details, as: Int.self) == 1, "details: takes a path of 1 to 32 steps, not of 0")
    let long = Criteria.Term.json(.field(FieldPath("details")), Array(repeating: "a", count: 33), as: .integer)
    refused(Filter(.isNull(long)), "details: takes a path of 1 to 32 steps, not of 33")
    refused(.json(\.details, "sizes", -1, as: Int.self) == 1, "details: has a path with the place -1; places count from 0")
    refused(
      .isNull(.json(\.details, "a", as: Date.self)), "can't read what is inside details as date, but as text, integer, double or Bool")
    refused(
      Filter(.isNull(.function(.jsonText, [.field(FieldPath("details")), .value(true), .value(.null)]))),
      "details: takes keys and places as steps of a path")
    refused(
      Filter(.isNull(.function(.jsonText, [.function(.lower, [.field(FieldPath("details"))]), .value("a")]))),
      "details: is text, and a path leads only into JSON")
    refused(Filter(.isNull(.function(.jsonText, []))), "jsonText takes a term and a path of steps, not 0")
    refused(
      .json(\.label, "a", as: String.self) == "x" && .json(\.details, as: Int.self) == 1 && .json(\.details, -5, as: Bool.self) == true,
      "label: is text, and a path leads only into JSON", "details: takes a path of 1 to 32 steps, not of 0",
      "details: has a path with the place -5; places count from 0")
  }

  @Test func `a place before the first is refused where the statement is known already`() throws {
    let parcels = store.factory.runtimeDAO(Parcel.self)
    #expect(try parcels.count(.where(.json(\.details, "sizes", 1, as: Int.self) == 1)) == 2)
    #expect(
      problems { _ = try parcels.count(.where(.json(\.details, "sizes", -1, as: Int.self) == 1)) }
        == ["details: has a path with the place -1; places count from 0"])
  }

  @Test func `32 steps are taken`() throws {
    let document = String(repeating: #"{"a":"#, count: 32) + "1" + String(repeating: "}", count: 32)
    _ = try store.store.execute("UPDATE parcel SET \(identifier: "the \"details\"") = \(document) WHERE id = 4")
    let steps = [JSONStep](repeating: "a", count: JSONStep.maximumCount)
    let filter = Filter<Parcel>(.compare(.json(.field(FieldPath("details")), steps, as: .integer), .equal, .value(1)))
    #expect(try store.factory.runtimeDAO(Parcel.self).findAllIDs(.where(filter)) == [4])
  }
}
