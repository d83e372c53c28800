import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("A row that is kept beyond its closure")
struct KeptRowTests {
  private static let use = "the values that were read of it; the row ends with its closure"

  /// Every way to read the next column.
  private var reads: [(inout RowReader) throws -> Void] {
    [
      { _ = try $0.next(Int64.self) }, { _ = try $0.next(String?.self) }, { _ = try $0.next(Data.self) }, { _ = try $0.takeStored() },
      { _ = try $0.takeScalar() }, { _ = try $0.stored(at: [0]) }, { _ = try $0.next(Kept.self) },
    ]
  }

  /// A value that keeps the cell that it is read from.
  struct Kept: AttributeValue, @unchecked Sendable {
    let cell: Cell
    static let attributeType = AttributeType.integer
    init(reading cell: Cell, of row: inout RowReader) throws { self.cell = cell }
    init(scalar: Scalar) throws { throw ValueProblem("is read by its cell") }
    var scalar: Scalar { .integer(0) }
  }

  @Test func `is refused, whatever is read of it, once its statement stands on another row, has ended, or is gone`() throws {
    for store in [try TestStore.zones().factory, try DAOFactory(store: .inMemory(), entities: Zone.self)] {
      let zones = store.runtimeDAO(Zone.self)
      if try zones.count() == 0 { try zones.insert(Zone.samples) }
      var kept: [RowReader] = []
      let sum = try zones.query("SELECT id FROM zone ORDER BY id") { row in
        for number in kept.indices {
          for read in reads {
            refused {
              var reader = kept[number]; try read(&reader)
            }
          }
        }
        kept.append(row)
        return try row.next(Int64.self)
      }
      #expect(sum == [1, 2, 3, 4, 5, 6])
      // The statement has ended; others run in its memory.
      for _ in 0..<3 {
        for number in kept.indices {
          for read in reads {
            refused {
              var reader = kept[number]; try read(&reader)
            }
          }
        }
        _ = try zones.findAll()
      }
      try store.close()
      for number in kept.indices {
        for read in reads {
          refused {
            var reader = kept[number]; try read(&reader)
          }
        }
      }
    }
  }

  @Test func `is refused where a statement that is kept runs again, with cells and cursors too`() throws {
    let store = try TestStore.zones()
    let projection = SearchCriteria<Zone>.all.project(.field(\.id)).order(by: \.id)
    var (kept, cells): (RowReader?, [Cell]) = (nil, [])
    let read = {
      try store.zones.project(projection) { (row: inout RowReader) in
        if kept == nil { kept = row }
        if cells.count < 3 {
          var copy = row
          cells.append(try copy.next(Kept.self).cell)
        }
        for cell in cells.dropLast() {
          refused { _ = try row.integer(cell) }
          refused { _ = try row.stored(cell) }
          refused { _ = try row.real(cell) }
        }
        return try row.next(Int64.self)
      }
    }
    #expect(try read() == [1, 2, 3, 4, 5, 6])
    // The same statement, by its shape.
    #expect(try store.trace.during { _ = try read() }.queries.count == 1)
    refused { _ = try kept?.next(Int64.self) }
    let last = try #require(cells.last)
    _ = try store.zones.project(projection) { (row: inout RowReader) in refused { _ = try row.integer(last) } }
  }

  @Test func `and a cursor that is kept, are refused`() throws {
    final class Box: @unchecked Sendable { var cursors: [RowCursor] = [] }
    struct Keeping: Entity {
      nonisolated(unsafe) static var box = Box()
      let zone: Zone
      static var entityDescription: EntityDescription { Zone.entityDescription }
      typealias Fields = Zone.Fields
      var primaryKey: Int64? { zone.primaryKey }
      mutating func setGeneratedKey(_ key: Int64) {}
      init(row: inout RowReader) throws { zone = try Zone(row: &row) }
      func write(to writer: inout ColumnWriter) throws { try zone.write(to: &writer) }
      static func read(_ rows: inout RowCursor, upTo count: Int, into found: inout [Keeping]) throws {
        // Before the first row, on each, and after the last.
        box.cursors.append(rows)
        while try rows.advance() {
          found.append(try Keeping(row: &rows.row))
          box.cursors.append(rows)
        }
        box.cursors.append(rows)
      }
    }
    let store = try TestStore.zones()
    #expect(try store.factory.runtimeDAO(Keeping.self).findAll().count == 6)
    #expect(Keeping.box.cursors.count == 8)
    for number in Keeping.box.cursors.indices {
      refused { _ = try Keeping.box.cursors[number].advance() }
      refused { _ = try Keeping.box.cursors[number].peek() }
      refused { _ = try Keeping.box.cursors[number].row.next(Int64.self) }
    }
  }

  @Test func `is refused where its entity was found by its key, which steps its statement once`() throws {
    final class Box: @unchecked Sendable { var row: RowReader? }
    struct Keeping: Entity {
      nonisolated(unsafe) static var box = Box()
      let zone: Zone
      static var entityDescription: EntityDescription { Zone.entityDescription }
      typealias Fields = Zone.Fields
      var primaryKey: Int64? { zone.primaryKey }
      mutating func setGeneratedKey(_ key: Int64) {}
      init(row: inout RowReader) throws {
        Self.box.row = row
        zone = try Zone(row: &row)
      }
      func write(to writer: inout ColumnWriter) throws { try zone.write(to: &writer) }
    }
    let store = try TestStore.zones()
    #expect(try store.factory.runtimeDAO(Keeping.self).find(1).zone.id == 1)
    refused { _ = try Keeping.box.row?.next(Int64.self) }
  }

  private func refused(_ read: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
    let found = misuse({ try read() }, sourceLocation: sourceLocation)
    #expect(found == Self.use, sourceLocation: sourceLocation)
  }
}
