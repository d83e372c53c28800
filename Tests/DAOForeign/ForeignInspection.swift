import DAOKit
import Foundation

/// Compares what `DAOFactory.inspect` says of a foreign database with what its maker knows.
struct ForeignInspection {
  /// What is to be said of each column of a table.
  private struct Forms: Decodable {
    struct Column: Decodable {
      let name: String
      /// The types of which one is to be named; empty where nobody can know the form, nil where anything may be said.
      let named: [String]?
      /// The forms that are to be among those counted, with the values for each and against it.
      let counted: [String: [Int]]
    }

    let table: String
    let columns: [Column]
  }

  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  /// Words are read in any case, and named in the one that most of them have.
  private static func isSame(_ declared: String, _ type: AttributeType) -> Bool { declared.lowercased() == type.declaredName.lowercased() }

  /// - Returns: a line for each column of which something else is said.
  func differences() throws -> [String] {
    let forms = try JSONDecoder().decode([Forms].self, from: Data(contentsOf: folder.appendingPathComponent("forms.json")))
    let found = try DAOFactory.inspect(folder.appendingPathComponent("store.sqlite"))
    return forms.flatMap { forms in
      forms.columns.compactMap { expected in
        guard let column = found[forms.table]?[expected.name] else { return "\(forms.table).\(expected.name): not inspected" }
        let isSure = column.certainty != .unsure
        let isRight = expected.named.map { $0.isEmpty ? !isSure : isSure && $0.contains { Self.isSame($0, column.type) } } ?? true
        let isCounted = expected.counted.allSatisfy { type, counts in
          column.forms.contains { Self.isSame(type, $0.type) && [$0.matching, $0.others] == counts }
        }
        return isRight && isCounted ? nil : "\(forms.table).\(column), not \(expected.named ?? []) with \(expected.counted)"
      }
    }
  }
}
