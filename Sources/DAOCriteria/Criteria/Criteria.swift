/// A query on an entity as a plain value, without the entity's Swift type. ``SearchCriteria`` holds it, and stores take it.
///
/// Every part of a query comes as a pair. The typed one stands by itself, and the compiler checks its names and types. The plain one stands
/// in `Criteria`, is `Hashable`, and is used by stores, engines and the JSON form; the typed one has it in a property of its name:
///
/// | typed | plain | |
/// |---|---|---|
/// | ``SearchCriteria`` | `Criteria` | `criteria` |
/// | ``Filter`` | ``Criteria/Condition`` | `condition` |
/// | ``Order`` | ``Criteria/Ordering`` | `ordering` |
/// | ``Operand``, ``Field`` | ``Criteria/Term`` | `term` |
/// | ``Projection`` | ``Criteria/Column`` | `column` |
/// | ``Assignment`` | ``Criteria/Change`` | `change` |
/// | ``FullTextMatch`` | ``Criteria/Search`` | `search` |
public struct Criteria: Sendable, Hashable {
  // Passed from hand to hand with each call, and large; so it is a reference until it is changed.
  @usableFromInline var storage: Storage

  /// All rows, in no order.
  public init() { storage = Storage(Parts()) }

  /// Which rows.
  public var filter: Criteria.Condition {
    @inlinable _read { yield storage.parts.filter }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.filter
    }
  }

  /// In which order.
  public var orders: [Criteria.Ordering] {
    @inlinable _read { yield storage.parts.orders }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.orders
    }
  }

  /// The columns read of each row or group; an empty list stands for the whole entity.
  public var columns: [Criteria.Column] {
    @inlinable _read { yield storage.parts.columns }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.columns
    }
  }

  /// Which groups.
  public var having: Criteria.Condition {
    @inlinable _read { yield storage.parts.having }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.having
    }
  }

  /// Whether equal rows of a report count once.
  public var isDistinct: Bool {
    @inlinable _read { yield storage.parts.isDistinct }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.isDistinct
    }
  }

  /// The maximum number of rows.
  public var limit: Int? {
    @inlinable _read { yield storage.parts.limit }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.limit
    }
  }

  /// The number of rows that are skipped first.
  public var offset: Int? {
    @inlinable _read { yield storage.parts.offset }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.offset
    }
  }

  /// Only rows that come after one with these values of the order's terms, in stored form: those of the orders, then those of the key's
  /// attributes that are not among them, which go the way of the first order. The row itself need not exist. Keyset pages use it.
  public var after: [StoredValue]? {
    @inlinable _read { yield storage.parts.after }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.after
    }
  }

  /// The relationships whose rows are fetched along, by statements of their own.
  public var prefetches: [Criteria.Prefetch] {
    @inlinable _read { yield storage.parts.prefetches }
    @inlinable _modify {
      copyIfShared()
      yield &storage.parts.prefetches
    }
  }

  /// The work that the query may take; nil for no limit. It does not change which rows are requested: equal criteria may differ in it.
  public var budget: RunBudget? {
    get { storage.budget }
    set {
      copyIfShared()
      storage.budget = newValue
    }
  }

  /// The positions of its parts in the JSON that it was read from; nil for criteria made in code. Equal criteria may differ in it.
  package var places: CriteriaPlaces? {
    get { storage.places }
    set {
      copyIfShared()
      storage.places = newValue
    }
  }

  /// Whether both are the same query.
  public static func == (left: Criteria, right: Criteria) -> Bool {
    left.storage === right.storage || left.storage.parts == right.storage.parts
  }

  /// Feeds all parts of the query.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.parts) }

  @inlinable mutating func copyIfShared() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.parts, storage.budget, storage.places) }
  }
}

extension Criteria: CustomReflectable {
  /// The parts of the query, for `print` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: Mirror(reflecting: storage.parts).children, displayStyle: .struct) }
}

extension Criteria {
  /// The parts, which only a query that has them alone changes. Its properties are inlinable, so that to read one copies nothing.
  @usableFromInline final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var parts: Parts
    @exclusivity(unchecked) @usableFromInline var budget: RunBudget?
    @exclusivity(unchecked) @usableFromInline var places: CriteriaPlaces?

    @usableFromInline init(_ parts: Parts, _ budget: RunBudget? = nil, _ places: CriteriaPlaces? = nil) {
      self.parts = parts
      self.budget = budget
      self.places = places
    }
  }

  @usableFromInline struct Parts: Sendable, Hashable {
    @usableFromInline var filter: Criteria.Condition = .constant(true)
    @usableFromInline var orders: [Criteria.Ordering] = []
    @usableFromInline var columns: [Criteria.Column] = []
    @usableFromInline var having: Criteria.Condition = .constant(true)
    @usableFromInline var isDistinct: Bool = false
    @usableFromInline var limit: Int?
    @usableFromInline var offset: Int?
    @usableFromInline var after: [StoredValue]?
    @usableFromInline var prefetches: [Criteria.Prefetch] = []
  }
}
