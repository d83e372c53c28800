import DAOCriteria

/// A record as a hook gets it: an object of the feed.
///
/// ```swift
/// people.before { record in record["deleted"] == true ? .skip : .proceed }
/// ```
public struct ImportRecord: Sendable, Hashable {
  /// The record's value.
  public let value: ImportValue
  /// The number of the feed's record that it is, or is in, from 0.
  public let number: Int

  /// The value at the end of a path; nil where it leads nowhere.
  public subscript(path: RecordPath) -> ImportValue? { value[path] }
}
