import DAOCriteria
import Foundation

extension SeedPacker {
  /// Why something could not be packed into a seed; everything together.
  public enum Failure: Error, Sendable, Hashable {
    /// The findings of a ``StoreDoctor``, notes aside, each with its repair.
    case unsound([DoctorReport.Finding])
    /// Rows of files that do not fit their entities.
    case rows([RowProblem])

    /// One thing that is wrong with a row of a file.
    public struct RowProblem: Sendable, Hashable, CustomStringConvertible {
      /// The file's name.
      public let file: String
      /// The row, counted from 1, a CSV's header left out; nil where it is the file.
      public let row: Int?
      /// The entity.
      public let entity: String
      /// The attribute, or an unknown name; nil for the whole row.
      public let attribute: String?
      /// The problem, in one sentence, with the value.
      public let message: String

      package init(file: String, row: Int?, entity: String, attribute: String? = nil, _ message: String) {
        self.file = file
        self.row = row
        self.entity = entity
        self.attribute = attribute
        self.message = message
      }

      /// The problem in one line: `zones.csv, row 7: zone.offset expects an integer of 64 bits, not the text "x"`.
      public var description: String {
        "\(file)\(row.map { ", row \($0)" } ?? ""): \(entity)\(attribute.map { ".\($0)" } ?? "") \(message)"
      }
    }
  }
}

extension SeedPacker.Failure: CustomStringConvertible {
  /// A line for each problem.
  public var description: String {
    switch self {
    case .unsound(let findings): (["not fit to be shipped:"] + findings.map(\.description)).joined(separator: "\n")
    case .rows(let problems): (["rows that do not fit their entities:"] + problems.map(\.description)).joined(separator: "\n")
    }
  }
}

extension SeedPacker.Failure: LocalizedError {
  /// ``description``.
  public var errorDescription: String? { description }
}
