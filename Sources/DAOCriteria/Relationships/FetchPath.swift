/// The relationships by which a row was fetched along, from the rows that were asked for: what an error names where a relationship of the
/// row was not fetched too.
@usableFromInline package final class FetchPath: Sendable {
  let names: [String]

  init(_ names: [String]) { self.names = names }

  func appending(_ name: String) -> FetchPath { FetchPath(names + [name]) }

  /// The whole path of a relationship of the row: `album.artist`.
  func path(to relationship: String) -> String { (names + [relationship]).joined(separator: ".") }
}
