import DAOKit

/// The reason why the row of a node can't be stored. The record of the feed that it is in is refused.
struct RefusedNode: Error {
  let node: Int
  /// The attribute or relationship; nil for the whole row.
  let attribute: String?
  let message: String

  init(_ node: Int, _ attribute: String? = nil, _ message: String) {
    self.node = node
    self.attribute = attribute
    self.message = message
  }

  /// Runs a hook. Its error refuses the node, unless it is one of the store's that concerns no single record.
  static func by<Result>(_ node: Int, _ attribute: String? = nil, _ hook: () throws -> Result) throws -> Result {
    do { return try hook() } catch let error as DAOError where !error.isOfRecord { throw error } catch let error as CancellationError {
      throw error
    } catch { throw RefusedNode(node, attribute, "is refused: \(error)") }
  }
}
