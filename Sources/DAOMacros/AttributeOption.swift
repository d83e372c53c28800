/// An option of ``Attribute(_:)`` for one attribute.
///
/// ```swift
/// @Attribute(.column("created_at"), .unixMilliseconds) var created: Date
/// ```
///
/// `@Entity` reads the options from the source, each is therefore written out where it is used.
public enum AttributeOption: Sendable {
  /// The column's name, where it differs from the property's.
  case column(String)
  /// No two rows have the same value: `CREATE UNIQUE INDEX "zone_on_name" ON "zone" ("name")`.
  case unique
  /// Rows are found by this attribute: `CREATE INDEX "zone_on_name" ON "zone" ("name")`.
  case indexed
  /// Rows are found by the words of this text, by a search table beside the entity's own: see `FullTextMatch`. It needs a key of one
  /// integer.
  case searchable
  /// The number of the row's last change, by which a stale write is noticed: `UPDATE … SET "version" = ? + 1 WHERE "id" = ? AND "version" =
  /// ?` changes no row that somebody else has changed, and the update is `DAOError.conflict(_:)`. For one `Int` or `Int64` of an entity:
  /// `@Attribute(.version) var version: Int = 0`.
  case version
  /// The store computes the value from the other columns of the row: `"total" REAL NOT NULL GENERATED ALWAYS AS (price * quantity)`. It
  /// is read with the row, criteria use it, and nothing writes it: `@Attribute(.generated) var total: Double = 0`. The initial value lets
  /// the memberwise initialiser do without it. An insert ignores it, and the next fetch has the store's value; see
  /// `DAOCriteria.Attribute.isGenerated`.
  case generated
  /// A name that the property had before: criteria that were saved with it are read with the new one, and a migration renames the column of
  /// that name in older stores. For several names, several options.
  case renamedFrom(String)
  /// The attribute is one of those by which records of feeds are found among the rows; without any, the key is. Those of several
  /// attributes identify a row together.
  case identity
  /// How records of feeds hold the value: `.mapped("full_name")`, `.mapped(["full_name", "name.full"])`, `.mapped(.excluded)`, `.mapped(
  /// AttributeMapping("born", dates: [.pattern("dd.MM.yyyy")]))`.
  case mapped(AttributeMapping)
  /// The value is one of a column of another table: `REFERENCES "country"("code") ON DELETE CASCADE`. Criteria and prefetches go through a
  /// ``ToOne(onDelete:)``, which needs no names of tables and columns.
  case references(_ table: String, _ column: String, onDelete: DeleteRule = .deny)

  /// A `Date` as `2026-11-21T06:19:00.000Z`; the default for dates.
  case iso8601
  /// A `Date` as seconds since 1970-01-01 00:00 UTC.
  case unixSeconds
  /// A `Date` as milliseconds since 1970-01-01 00:00 UTC.
  case unixMilliseconds
  /// A `Date` as microseconds since 1970-01-01 00:00 UTC.
  case unixMicroseconds
  /// A `Date` as nanoseconds since 1970-01-01 00:00 UTC.
  case unixNanoseconds
  /// A `Date` as seconds since 2001-01-01 00:00 UTC, as Foundation and Core Data count.
  case secondsSince2001
  /// A `Date` as Julian days, as SQLite's `julianday()` has them.
  case julianDays
  /// A `Date` as the digits of whole seconds since 1970 in a text.
  case unixSecondsText
  /// A `Date` as the digits of milliseconds since 1970 in a text.
  case unixMillisecondsText
  /// A `Date` as text of another form, in the notation of ``DatePattern``: `.dateText("YYYY-MM-DD HH:MM:SS")` is `2026-11-21 06:19:00`.
  case dateText(_ pattern: String, zone: String = "UTC")
  /// A `Decimal` as an integer, the number times 10 to the power of `digits` (0 to 18): `.scaled(2)` keeps 1.25 as 125.
  case scaled(_ digits: Int)
  /// A `Decimal` of a column that another program declared `NUMERIC`, `DECIMAL(10,2)` or `MONEY`, with so many digits after the point (0 to
  /// 18): a double that is not quite 19.9 is read as it.
  case numeric(_ digits: Int)
  /// The same of a column that is declared `REAL`, `DOUBLE` or `FLOAT`.
  case real(_ digits: Int)
  /// A `Decimal` as its digits; the default for decimals.
  case decimalText
  /// A `UUID` as 16 bytes; the default for UUIDs.
  case uuidBlob
  /// A `UUID` as 36 characters in lower case.
  case uuidText
  /// A `UUID` as a text that is spelled otherwise: `.uuidSpelled([.capitals, .inBraces])`.
  case uuidSpelled(UUIDSpelling)
  /// A `String` or `URL` in another form than as its UTF-8 alone: `.text(.nocase)` of a column with `COLLATE NOCASE`; see
  /// ``AttributeType/TextStorage``.
  case text(AttributeType.TextStorage)
  /// A `Bool` as one of two words in a text, that of true first: `.boolText("Y/N")`; see ``BoolText``.
  case boolText(_ words: String)
}
