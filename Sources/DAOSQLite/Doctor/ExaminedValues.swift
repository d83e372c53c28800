import DAOCriteria
import Foundation

/// The values of an entity's rows: how many rows there are, and which values are not as the entity would read and write them.
struct ExaminedValues {
  private let entity: EntityDescription
  private let positions: [Int]
  private let keyPositions: [Int]
  private(set) var rowCount = 0
  private(set) var broken: [BrokenValues] = []
  private var places: [Group: Int] = [:]

  /// What makes broken values alike.
  private struct Group: Hashable {
    let column: Int
    let kind: DoctorReport.Kind
    let form: ValueForm
  }

  init(of entity: EntityDescription) {
    self.entity = entity
    positions = Array(entity.attributes.indices)
    keyPositions = entity.key.attributes.compactMap(entity.position(of:))
  }

  /// Reads a row as the type, and writes what was read. Most rows come out as they are, and there is nothing more to do.
  mutating func examine<E: Entity>(_ row: inout RowReader, as type: E.Type) {
    rowCount += 1
    guard let stored = try? row.stored(at: positions) else { return examineEach(&row, besides: nil) }
    var writer = ColumnWriter(collecting: entity.types)
    do {
      try E(row: &row).write(to: &writer)
      try writer.endRow()
    } catch let problem as RowProblem {
      return examineEach(&row, besides: (problem.column, .unreadableValue, problem.problem))
    } catch let problem as ColumnProblem {
      // What can't be written can't be looked for.
      return examineEach(&row, besides: (problem.column, .unfindableValue, problem.problem))
    } catch {
      return examineEach(&row, besides: (0, .unreadableValue, ValueProblem("\(error)")))
    }
    for position in positions { examine(stored[position], at: position, writtenAs: writer.values[position], in: stored) }
  }

  /// Examines every value of a row by its attribute's type, where the row as a whole can't be read; except one, of which it is known why.
  private mutating func examineEach(_ row: inout RowReader, besides known: (column: Int, kind: DoctorReport.Kind, problem: ValueProblem)?) {
    let invalid = positions.map { row.invalidText(at: $0) }
    let stored = positions.map { invalid[$0].map { .blob($0) } ?? row.stored(at: $0) }
    for (position, attribute) in entity.attributes.enumerated() {
      if let known, known.column == position {
        note(known.kind, at: position, known.problem.description, in: stored)
      } else if invalid[position] != nil, (try? attribute.type.scalar(row.stored(at: position))) != nil {
        note(.unfindableValue, at: position, "is text that is not UTF-8, and read as other text", in: stored)
      } else {
        examine(invalid[position] == nil ? stored[position] : row.stored(at: position), at: position, attribute.type, in: stored)
      }
    }
  }

  private mutating func examine(_ value: StoredValue, at position: Int, _ type: AttributeType, in row: [StoredValue]) {
    let scalar: Scalar
    do { scalar = try type.scalar(value) } catch { return note(.unreadableValue, at: position, "\(error)", in: row) }
    do { examine(value, at: position, writtenAs: try type.stored(scalar), in: row) } catch {
      note(.unfindableValue, at: position, "\(error)", in: row)
    }
  }

  private mutating func examine(_ value: StoredValue, at position: Int, writtenAs written: StoredValue, in row: [StoredValue]) {
    let attribute = entity.attributes[position]
    if value.isNull, written.isNull {
      if !attribute.isOptional { note(.unreadableValue, at: position, "expects \(attribute.type), but is null", in: row) }
    } else if value != written {
      if value.compare(written, as: attribute.type) != 0 {
        note(.unfindableValue, at: position, "is read, and not found by what is read, which is kept as \(written.shown)", in: row)
      } else if case .text = value {
        note(.spelling, at: position, "is kept as \(value.shown), which DAOKit writes as \(written.shown)", in: row)
      }
    }
  }

  private mutating func note(_ kind: DoctorReport.Kind, at position: Int, _ problem: String, in row: [StoredValue]) {
    let position = positions.indices.contains(position) ? position : positions.count - 1
    let group = Group(column: position, kind: kind, form: ValueForm(row[position]))
    let place = places[group] ?? broken.count
    if place == broken.count {
      places[group] = place
      broken.append(BrokenValues(column: position, kind: kind, form: group.form, problem: problem))
    }
    broken[place].count += 1
    if broken[place].examples.count < DoctorReport.Example.limit {
      broken[place].examples.append(DoctorReport.Example(key: keyPositions.map { row[$0] }, values: [row[position]]))
    }
  }
}
