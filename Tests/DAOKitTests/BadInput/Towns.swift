import DAOKit

/// Lands and towns, which point to lands in two ways and to each other.
enum Towns {
  static let land = EntityDescription(
    "land", table: "Lands", key: .assigned(["code"]),
    attributes: [Attribute("code", .text), Attribute("number", .integer, optional: true)],
    indexes: [Index(on: "number", unique: true)])
  static let town = EntityDescription(
    "town", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, optional: true),
      Attribute("land", .text, column: "land_code", optional: true, references: ForeignKey(table: "Lands", column: "code")),
      Attribute("landNumber", .integer, optional: true, references: ForeignKey(table: "Lands", column: "number")),
      Attribute("twin", .integer, optional: true, references: ForeignKey(table: "town", column: "id")),
    ])

  static func stores() throws -> [DAOFactory] {
    [try TestStore([land, town]).factory, DAOFactory(over: try EvaluatorStore([land, town]))]
  }
}

/// What a call's error says.
func errorText(_ body: () throws -> some Any) -> String {
  do { _ = try body() } catch { return "\(error)" }
  return "no error"
}
