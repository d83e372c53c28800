import DAOKit

/// How an import runs.
///
/// ```swift
/// try people.import(.json(url))                                                     // all records, or none
/// try people.import(.jsonLines(url), options: ImportOptions(batch: 1_000, failures: .skip(upTo: 100)))
/// ```
public struct ImportOptions: Sendable {
  /// The effect of a record that can't be stored.
  public enum Failures: Sendable, Hashable {
    /// It ends the import: ``ImportFailure``.
    case stop
    /// It leaves no trace, and its problems are in the report. More records than the number end the import; those that are stored without
    /// a row that they name count, too. A text that can't be read beyond an error (broken JSON in a list, a quote in CSV that is never
    /// closed, a record of more than 64 MB) ends the import all the same.
    case skip(upTo: Int)
  }

  /// How many records a transaction stores; nil for all in one. Whole batches stay when a later one fails.
  public var batch: Int?
  /// The effect of a record that can't be stored.
  public var failures: Failures
  /// Whether everything is done but the commit, in one transaction and with all hooks: the report says what an import would do.
  public var isDryRun: Bool
  /// A name by which the store notes, with each ``batch``, how many records it has: an import of the same name passes over as many records
  /// of the feed that it gets, and goes on behind them. Its report is of those that follow. The entity ``ImportMark`` has to be among
  /// those of the factory.
  public var mark: String?

  /// How an import runs.
  public init(batch: Int? = nil, failures: Failures = .stop, isDryRun: Bool = false, mark: String? = nil) {
    self.batch = batch
    self.failures = failures
    self.isDryRun = isDryRun
    self.mark = mark
  }
}
