/// The path of a value in a record of a feed: the names of members of objects, one within the other.
///
/// ```swift
/// let path: RecordPath = "name.last"              // {"name": {"last": "Novák"}}
/// let dotted: RecordPath = ["name.last"]          // {"name.last": "Novák"}
/// let first: RecordPath = "images.0.url"          // {"images": [{"url": "…"}]}
/// ```
///
/// In a list a name is the number of an item, from 0.
public struct RecordPath: Sendable, Hashable {
  /// The names, the outermost first.
  public let names: [String]

  /// A path of names that are taken as they are, dots and all.
  public init(_ names: [String]) { self.names = names }
}

extension RecordPath: ExpressibleByStringLiteral {
  /// A path of names with dots between them.
  public init(stringLiteral path: String) { names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
}

extension RecordPath: ExpressibleByArrayLiteral {
  /// A path of names that are taken as they are.
  public init(arrayLiteral names: String...) { self.names = names }
}

extension RecordPath: CustomStringConvertible {
  /// The names with dots between them.
  public var description: String { names.joined(separator: ".") }
}
