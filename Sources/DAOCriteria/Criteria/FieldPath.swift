/// An attribute that criteria name by its path from the queried entity; the names before the last are relationships.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  /// The first name; empty for the entity itself.
  public let first: String
  /// The names that follow.
  public let rest: [String]

  /// The path to the entity itself.
  @inlinable public static var root: FieldPath { FieldPath(first: "", rest: []) }

  @inlinable init(first: String, rest: [String]) {
    self.first = first
    self.rest = rest
  }

  /// A path from its dotted text: `"country.code"`.
  public init(_ dotted: String) {
    if dotted.utf8.contains(UInt8(ascii: ".")) {
      let names = dotted.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      self.init(first: names[0], rest: Array(names.dropFirst()))
    } else {
      self.init(first: dotted, rest: [])
    }
  }

  /// All names.
  public var names: [String] { first.isEmpty ? [] : [first] + rest }

  /// The path one name further.
  @inlinable public func appending(_ name: String) -> FieldPath {
    first.isEmpty ? FieldPath(first: name, rest: []) : FieldPath(first: first, rest: rest + [name])
  }

  /// The attribute of this name, reached by this path.
  @inlinable public func field<Value>(_ name: String) -> Field<Value> { Field(.field(appending(name))) }

  /// The path with dots.
  public var description: String { rest.isEmpty ? first : names.joined(separator: ".") }
}
