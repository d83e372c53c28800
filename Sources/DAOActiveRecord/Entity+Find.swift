import DAOKit

// Finding rows. Each function takes the factory, session or unit of work that it runs in.
extension Entity {
  /// The entities of a query: `Person.findAll(.where { $0.age > 17 })`.
  public static func findAll(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil) throws -> [Self] {
    try dao(in: maker).findAll(criteria)
  }

  /// Awaits `findAll(_:in:)`.
  public static func findAll(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil) async throws -> [Self] {
    try await dao(in: maker).findAll(criteria)
  }

  /// The entities in the order of a text, and of the criteria behind it: `Person.findAll(sortedBy: "lastName:desc,firstName")`; see
  /// ``DAOKit/SearchCriteria/sorted(by:ascending:)-(String,_)``.
  public static func findAll(
    sortedBy text: String, ascending: Bool = true, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> [Self] {
    try dao(in: maker).findAll(criteria.sorted(by: text, ascending: ascending))
  }

  /// Awaits `findAll(sortedBy:ascending:matching:in:)`.
  public static func findAll(
    sortedBy text: String, ascending: Bool = true, matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> [Self] {
    try await dao(in: maker).findAll(criteria.sorted(by: text, ascending: ascending))
  }

  /// The entities with a value: `Person.findAll(by: \.lastName, "Berg", sortedBy: "firstName")`. With nil, those without one.
  public static func findAll<V>(
    by path: FieldKeyPath<Self, V>, _ value: V.Unwrapped?, sortedBy text: String = "", ascending: Bool = true,
    in maker: (any DAOMaker)? = nil
  ) throws -> [Self] {
    try dao(in: maker).findAll(.where(path == value).sorted(by: text, ascending: ascending))
  }

  /// Awaits `findAll(by:_:sortedBy:ascending:in:)`.
  public static func findAll<V>(
    by path: FieldKeyPath<Self, V>, _ value: V.Unwrapped?, sortedBy text: String = "", ascending: Bool = true,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> [Self] {
    try await dao(in: maker).findAll(.where(path == value).sorted(by: text, ascending: ascending))
  }

  /// The first entity of a query; by key where it has no order.
  public static func findFirst(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil) throws -> Self? {
    try dao(in: maker).findFirst(criteria)
  }

  /// Awaits `findFirst(_:in:)`.
  public static func findFirst(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil) async throws -> Self? {
    try await dao(in: maker).findFirst(criteria)
  }

  /// The first entity in the order of a text, and of the criteria behind it: `Person.findFirst(sortedBy: "age:desc")`.
  public static func findFirst(
    sortedBy text: String, ascending: Bool = true, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> Self? {
    try dao(in: maker).findFirst(criteria.sorted(by: text, ascending: ascending))
  }

  /// Awaits `findFirst(sortedBy:ascending:matching:in:)`.
  public static func findFirst(
    sortedBy text: String, ascending: Bool = true, matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Self? {
    try await dao(in: maker).findFirst(criteria.sorted(by: text, ascending: ascending))
  }

  /// The first entity with a value, by key or in the order of a text: `Person.findFirst(by: \.email, "ida@example.org")`. With
  /// nil, the first without one.
  public static func findFirst<V>(
    by path: FieldKeyPath<Self, V>, _ value: V.Unwrapped?, sortedBy text: String = "", ascending: Bool = true,
    in maker: (any DAOMaker)? = nil
  ) throws -> Self? {
    try dao(in: maker).findFirst(.where(path == value).sorted(by: text, ascending: ascending))
  }

  /// Awaits `findFirst(by:_:sortedBy:ascending:in:)`.
  public static func findFirst<V>(
    by path: FieldKeyPath<Self, V>, _ value: V.Unwrapped?, sortedBy text: String = "", ascending: Bool = true,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Self? {
    try await dao(in: maker).findFirst(.where(path == value).sorted(by: text, ascending: ascending))
  }

  /// The entity with the smallest value of an attribute; nil where no row has one. Of several, the first in the order of the criteria,
  /// and without one that with the lowest key.
  /// - Throws: ``DAOError/misuse(_:use:)`` for criteria with a limit or an offset.
  public static func findMin<V>(
    by path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> Self? {
    try dao(in: maker).findFirst(criteria.extremes(of: path, .ascending(path)))
  }

  /// Awaits `findMin(by:matching:in:)`.
  public static func findMin<V>(
    by path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Self? {
    try await dao(in: maker).findFirst(criteria.extremes(of: path, .ascending(path)))
  }

  /// The entity with the largest value of an attribute; nil where no row has one. Of several, the first in the order of the criteria,
  /// and without one that with the highest key.
  /// - Throws: ``DAOError/misuse(_:use:)`` for criteria with a limit or an offset.
  public static func findMax<V>(
    by path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> Self? {
    try dao(in: maker).findFirst(criteria.extremes(of: path, .descending(path)))
  }

  /// Awaits `findMax(by:matching:in:)`.
  public static func findMax<V>(
    by path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Self? {
    try await dao(in: maker).findFirst(criteria.extremes(of: path, .descending(path)))
  }

  /// The entity with a key.
  /// - Throws: ``DAOError/notFound(entity:key:)``.
  public static func find(_ id: PrimaryKey, in maker: (any DAOMaker)? = nil) throws -> Self {
    try dao(in: maker).find(id)
  }

  /// Awaits `find(_:in:)`.
  public static func find(_ id: PrimaryKey, in maker: (any DAOMaker & Sendable)? = nil) async throws -> Self {
    try await dao(in: maker).find(id)
  }

  /// The entities with these keys, in the keys' order; those that no row has are left out.
  public static func find(_ ids: [PrimaryKey], in maker: (any DAOMaker)? = nil) throws -> [Self] {
    try dao(in: maker).find(ids)
  }

  /// Awaits `find(_:in:)`.
  public static func find(_ ids: [PrimaryKey], in maker: (any DAOMaker & Sendable)? = nil) async throws -> [Self] {
    try await dao(in: maker).find(ids)
  }

  /// The number of rows that a query finds.
  public static func count(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil) throws -> Int {
    try dao(in: maker).count(criteria)
  }

  /// Awaits `count(_:in:)`.
  public static func count(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil) async throws -> Int {
    try await dao(in: maker).count(criteria)
  }

  /// Whether a query finds anything.
  public static func exists(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil) throws -> Bool {
    try dao(in: maker).exists(criteria)
  }

  /// Awaits `exists(_:in:)`.
  public static func exists(_ criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil) async throws -> Bool {
    try await dao(in: maker).exists(criteria)
  }

  /// The first entity of a query, or a new one that is inserted; see ``DAOKit/DAO/findFirst(_:orInsert:)-(_,()->E)``.
  @discardableResult
  public static func findFirst(
    _ criteria: SearchCriteria<Self>, orCreate make: @autoclosure () throws -> Self, in maker: (any DAOMaker)? = nil
  ) throws -> Self {
    try dao(in: maker).findFirst(criteria, orInsert: make())
  }

  /// Awaits `findFirst(_:orCreate:in:)`.
  @discardableResult
  public static func findFirst(
    _ criteria: SearchCriteria<Self>, orCreate make: @autoclosure @escaping @Sendable () throws -> Self,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Self {
    try await dao(in: maker).findFirst(criteria, orInsert: make())
  }

  /// The entity with a value, or a new one that is inserted and must have it; see ``DAOKit/DAO/findFirst(_:orInsert:)-(_,()->E)``.
  @discardableResult
  public static func findFirst<V>(
    by path: FieldKeyPath<Self, V>, _ value: V.Unwrapped, orCreate make: @autoclosure () throws -> Self, in maker: (any DAOMaker)? = nil
  ) throws -> Self {
    try dao(in: maker).findFirst(.where(path == value), orInsert: make())
  }

  /// Awaits `findFirst(by:_:orCreate:in:)`.
  @discardableResult
  public static func findFirst<V>(
    by path: FieldKeyPath<Self, V>, _ value: V.Unwrapped, orCreate make: @autoclosure @escaping @Sendable () throws -> Self,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Self {
    try await dao(in: maker).findFirst(.where(path == value), orInsert: make())
  }
}
