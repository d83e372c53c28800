import DAOCriteria
import Foundation

/// The values of an entity's rows: how many rows there are, and which values are not as the entity would read and write them.
struct ExaminedValues {
  private let entity: EntityDescription
  // Whether no Swift type reads the rows.
  private let isDynamic: Bool
  private let positions: [Int]
  private let keyPositions: [Int]
  private(set) var rowCount = 0
  private(set) var broken: [BrokenValues] = []
  private var places: [Group: Int] = [:]
  // The keys so far, as they compare; nil where each compares as it is stored.
  private var keys: Set<[StoredValue]>?

  /// The key by which broken values are grouped.
  private struct Group: Hashable {
    let column: Int
    let kind: DoctorReport.Kind
    let form: ValueForm
  }

  init(of entity: EntityDescription, isDynamic: Bool) {
    self.entity = entity
    self.isDynamic = isDynamic
    positions = Array(entity.attributes.indices)
    keyPositions = entity.key.attributes.compactMap(entity.position(of:))
    // Keys that are not found by what is read are findings by themselves.
    keys = entity.keyTypes.contains { $0.hasSeveralForms && $0.order != nil } ? [] : nil
  }

  /// The reason why one value of a row can't be read or searched.
  private struct Problem {
    let column: Int
    let kind: DoctorReport.Kind
    let text: String
  }

  /// Reads a row as the type, and writes the values read. Most rows come out as they are, and there is nothing more to do.
  mutating func examine<E: Entity>(_ row: inout RowReader, as type: E.Type) {
    rowCount += 1
    var writer = ColumnWriter(collecting: entity.types)
    var problem: Problem?
    do {
      try E(row: &row).write(to: &writer)
      try writer.endRow()
    } catch let found as RowProblem {
      problem = Problem(column: found.column, kind: .unreadableValue, text: "\(found.problem)")
    } catch let found as ColumnProblem {
      // A value that can't be written can't be searched for.
      problem = Problem(column: found.column, kind: .unfindableValue, text: "\(found.problem)")
    } catch { problem = Problem(column: 0, kind: .unreadableValue, text: "\(error)") }
    guard problem == nil, let stored = try? row.stored(at: positions) else {
      return examineEach(&row, writtenAs: problem == nil ? writer.values : nil, besides: problem)
    }
    for position in positions { examine(stored[position], at: position, writtenAs: writer.values[position], in: stored) }
    if keys != nil { examineKey(in: stored) }
  }

  /// Of two rows whose keys are read as one, one alone is found, changed and deleted by it.
  private mutating func examineKey(in row: [StoredValue]) {
    let key = keyPositions.map { row[$0].identity(as: entity.types[$0]) }
    guard keys?.insert(key).inserted == false, let position = keyPositions.first else { return }
    note(.unfindableValue, at: position, "is read as the key of another row, which alone is found by it", in: row)
  }

  /// Examines the values of a row one by one, where one is known to be broken, or is text that is not UTF-8; by their attributes' types,
  /// where the row as a whole can't be read.
  private mutating func examineEach(_ row: inout RowReader, writtenAs written: [StoredValue]?, besides known: Problem?) {
    guard let invalid = try? positions.map({ try row.invalidText(at: $0) }), let values = try? positions.map({ try row.stored(at: $0) })
    else { return }
    let stored = positions.map { invalid[$0].map { .blob($0) } ?? values[$0] }
    for position in positions {
      let value = values[position]
      if let known, known.column == position {
        note(known.kind, at: position, known.text, in: stored)
      } else if invalid[position] != nil, written != nil || (try? entity.types[position].scalar(value)) != nil {
        note(.unfindableValue, at: position, "is text that is not UTF-8, and read as other text", in: stored)
      } else if let written {
        examine(value, at: position, writtenAs: written[position], in: stored)
      } else {
        examine(value, at: position, entity.types[position], in: stored)
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
    // A Swift type has read it.
    if isDynamic, attribute.type == .json, case .text(let text) = value, let problem = JSONScanner.problem(in: text) {
      return note(.unreadableValue, at: position, "is no JSON: \(problem)", in: row)
    }
    if value.isNull, written.isNull {
      if !attribute.isOptional { note(.unreadableValue, at: position, "expects \(attribute.type), but is null", in: row) }
    } else if value != written {
      // Filters find an instant by all that is read as it; rows are found by the stored form of their keys.
      var isFound = value.compare(written, as: attribute.type) == 0
      if case .date(let storage) = attribute.type, storage.hasBounds, !keyPositions.contains(position) {
        isFound = storage.secondsSinceReference(value) == storage.secondsSinceReference(written)
      }
      if !isFound {
        note(.unfindableValue, at: position, "is read, and not found by what is read, which is kept as \(written.shown)", in: row)
      } else if case .text = value, !attribute.type.keepsSpelling {
        note(.spelling, at: position, "is kept as \(value.shown), which DAOKit writes as \(written.shown)", in: row)
      } else if case .decimal(let storage) = attribute.type, storage.losesDigits(of: value) {
        note(.spelling, at: position, "is kept as \(value.shown), of which \(written.shown) is read", in: row)
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
