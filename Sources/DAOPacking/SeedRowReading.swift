import DAOCriteria
import Foundation

/// Reads the rows of files as an entity's Swift type does, which may refuse values that fit the description: a text that is none of an
/// enum's.
struct SeedRowReading {
  private let type: any Entity.Type
  private let columns: RowColumns
  private let generated: String?
  // Of the last row that the type read.
  private var readable: [StoredValue]?

  init(_ type: any Entity.Type) {
    self.type = type
    let entity = type.entityDescription
    columns = RowColumns(entity.types, of: entity)
    generated = entity.hasGeneratedKey ? entity.key.attributes.first : nil
  }

  /// Returns the problems that the type reports for a row. The type stops at the first value that it refuses; with an accepted value in its
  /// place, the row is read again to find the next problem.
  /// - Parameter values: null for values that are missing or could not be read, which was reported.
  mutating func problems(in values: [StoredValue]) -> [SeedRowProblem] {
    var problems: [SeedRowProblem] = []
    let attributes = columns.entity?.attributes ?? []
    let missing = attributes.indices.filter { values[$0].isNull && !attributes[$0].isOptional }
    var row = values
    for position in missing { row[position] = substitute(for: position, attributes[position]) }
    var replaced = Set<Int>()
    while let (column, text) = type.problem(in: row, columns) {
      guard attributes.indices.contains(column) else {
        // A problem of the whole row may be caused by the values put in place of others.
        return replaced.isEmpty && missing.isEmpty ? [SeedRowProblem(nil, text)] : problems
      }
      // Not even what stands in its place is taken.
      guard replaced.insert(column).inserted else { break }
      if !missing.contains(column) { problems.append(SeedRowProblem(attributes[column].name, Self.text(text, values[column]))) }
      row[column] = substitute(for: column, attributes[column])
    }
    if replaced.isEmpty { readable = row }
    return problems
  }

  /// Returns the problems that the type reports for a row that had no key in its file, with the key that it got; nothing for other rows.
  mutating func problems(in values: [StoredValue], generatedKey key: Int64) -> [SeedRowProblem] {
    guard let position = generated.flatMap({ columns.entity?.position(of: $0) }), values[position].isNull else { return [] }
    var row = values
    row[position] = .integer(key)
    return problems(in: row)
  }

  /// A problem with the value, which most of them name already.
  private static func text(_ text: String, _ value: StoredValue) -> String {
    let shown = if case .text(let own) = value { own.shown } else { value.shown }
    return text.contains(shown) ? text : "\(text); it is \(value.shown)"
  }

  /// A value that the type may take.
  private func substitute(for position: Int, _ attribute: Attribute) -> StoredValue {
    if let readable, !readable[position].isNull || attribute.isOptional { return readable[position] }
    if attribute.isOptional { return .null }
    if let value = attribute.defaultValue, let stored = try? attribute.type.stored(value) { return stored }
    // Generated keys begin with 1.
    if attribute.name == generated { return .integer(1) }
    return (try? attribute.type.stored(attribute.type.sample)) ?? .null
  }
}

extension Entity {
  /// The first problem of a row that is read, and written as it is read; the column -1 where it is the whole row's.
  fileprivate static func problem(in values: [StoredValue], _ columns: RowColumns) -> (column: Int, text: String)? {
    var row = RowReader(values, columns: columns)
    var writer = ColumnWriter(collecting: columns.types)
    do {
      try Self(row: &row).write(to: &writer)
      try writer.endRow()
      return nil
    } catch let problem as RowProblem { return (problem.column, "\(problem.problem)") } catch let problem as ColumnProblem {
      return (problem.column, "\(problem.problem)")
    } catch { return (-1, "can't be read as \(Self.self): \(error)") }
  }
}
