import DAOKit
import Foundation

/// A file with the rows of one entity, of which a seed is packed.
public struct SeedFile: Sendable, Hashable {
  enum Format: Hashable { case json, csv }

  let url: URL
  let entity: String
  let format: Format

  /// A list of objects in JSON, one for each row, with values by attribute name; or one object. A row takes at most 64 MB of the file.
  ///
  /// ```json
  /// [{ "id": 7, "name": "Europe/Bratislava", "since": "1993-01-01T00:00:00Z", "tags": ["eu"] }]
  /// ```
  ///
  /// An attribute that is left out takes its default, else nil; a key that is generated may be left out. Dates are ISO 8601, UUIDs and
  /// decimals text, data Base64. The value of a JSON attribute is the document itself; a text in quotes is the text of a document.
  public static func json(_ url: URL, of entity: String) -> SeedFile { SeedFile(url: url, entity: entity, format: .json) }

  /// A list of objects in JSON, for an entity's type.
  public static func json<E: Entity>(_ url: URL, of entity: E.Type) -> SeedFile { json(url, of: E.entityDescription.name) }

  /// Rows as comma-separated values, with a header of attribute names (RFC 4180).
  ///
  /// ```csv
  /// id,name,inhabited,since
  /// 7,Europe/Bratislava,true,1993-01-01T00:00:00Z
  /// ```
  ///
  /// The file is UTF-8. Values are written as in JSON, `true` and `false` also as `1` and `0`. An empty cell is nil where the attribute may
  /// be, else its default, else a problem; an empty text is written in quotes. Lines end with `\r\n` or `\n`; a cell with a comma, a quote
  /// or a line end stands in quotes, with two quotes for one. Empty lines, and lines of spaces, at the end are no rows. A row takes at most
  /// 64 MB of the file.
  public static func csv(_ url: URL, of entity: String) -> SeedFile { SeedFile(url: url, entity: entity, format: .csv) }

  /// Rows as comma-separated values, for an entity's type.
  public static func csv<E: Entity>(_ url: URL, of entity: E.Type) -> SeedFile { csv(url, of: E.entityDescription.name) }
}
