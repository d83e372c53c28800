/// The rows of a to-many relationship, where they were fetched with the entity. No column keeps it, and it is never written.
///
/// ```swift
/// @ToMany(\Transition.zone) var transitions: Many<Transition> = Many()
///
/// let found = try zones.findAll(SearchCriteria().prefetch(\.transitions))     // one statement more, however many zones
/// for transition in try found[0].transitions.get() { … }
/// ```
///
/// It is no part of the entity's value: a zone is the same zone with its transitions and without. Two values are always equal, and in an
/// entity that is `Codable` it is neither written nor read: encode the rows that ``get()`` returns where they are wanted. It prints as its
/// rows, or as `not fetched`.
public struct Many<Target: Entity>: Sendable {
  @usableFromInline enum State: Sendable {
    /// Of an entity that was read from a row, at this place: `"zone.transitions"`.
    case read(at: StaticString, under: FetchPath?)
    /// Of an entity that the program made.
    case made
    case fetched([Target])
  }

  @usableFromInline var state: State

  /// No rows: they were not fetched.
  public init() { state = .made }

  /// No rows yet, in an entity that is read from a row. `row.next(at:)` says more: its error names the whole path.
  /// - Parameter place: entity and relationship, which the error of ``get()`` names: `"zone.transitions"`.
  public init(at place: StaticString) { state = .read(at: place, under: nil) }

  fileprivate init(at place: StaticString, under path: FetchPath?) { state = .read(at: place, under: path) }

  /// Rows at hand, as if they had been fetched.
  @inlinable public init(_ rows: [Target]) { state = .fetched(rows) }

  /// The rows, as they were when they were fetched.
  /// - Throws: ``DAOError/notFetched(entity:relationship:use:)`` where the criteria did not prefetch them.
  public func get() throws -> [Target] {
    switch state {
    case .fetched(let rows): return rows
    case .read(let place, let path): throw DAOError.notFetched(at: place, under: path)
    case .made: throw DAOError.notFetched(Target.entityDescription.name)
    }
  }
}

extension Many: Hashable {
  /// Always true: see ``Many``.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }

  /// Feeds nothing.
  public func hash(into hasher: inout Hasher) {}
}

extension Many: CustomStringConvertible {
  /// The rows, or `not fetched`.
  public var description: String { if case .fetched(let rows) = state { "\(rows)" } else { "not fetched" } }
}

extension Many: Codable {
  /// Rows that were not fetched.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Writes an empty value where one is needed; of an entity's properties it is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

// The code that the compiler writes for a `Codable` entity calls these functions instead of those for any type.
extension KeyedEncodingContainer {
  /// Leaves the relationship out.
  public mutating func encode<Target>(_ value: Many<Target>, forKey key: Key) throws {}
}

extension KeyedDecodingContainer {
  /// Rows that were not fetched, whatever was encoded.
  public func decode<Target>(_ type: Many<Target>.Type, forKey key: Key) throws -> Many<Target> { Many() }
}

extension RowReader {
  /// No rows yet: the initial value of a to-many property in an entity's `init(row:)`. It takes no column.
  /// - Parameter place: entity and relationship, which the error of ``Many/get()`` names: `"zone.transitions"`.
  public mutating func next<Target>(at place: StaticString) -> Many<Target> { Many(at: place, under: path) }
}
