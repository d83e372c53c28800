/// The error of an import that was ended by records that it can't store.
///
/// An import in one transaction has changed nothing. One in batches has stored those before, as ``report`` says.
public struct ImportFailure: Error, Sendable, Hashable {
  /// The problems: those of records before, and of the record that ended the import, as it was read all, 100 at most, or the one for which
  /// it could not be stored.
  public let problems: [ImportProblem]
  /// The batches that are stored.
  public let report: ImportReport
}

extension ImportFailure: CustomStringConvertible {
  /// A line for each problem.
  public var description: String { problems.map { "\($0)" }.joined(separator: "\n") }
}
