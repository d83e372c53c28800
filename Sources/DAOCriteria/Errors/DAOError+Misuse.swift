// Calls where they can't work, which every store refuses in the same words.
extension DAOError {
  package static var plainDAOInClosure: DAOError {
    .misuse("a DAO that is not the session's was used inside a closure of its store", use: "session.dao(…) there")
  }

  package static func factoryInClosure(_ mode: SessionMode) -> DAOError {
    .misuse(
      "factory.\(mode == .read ? "read" : "write") was called inside a closure of its store",
      use: mode == .read ? "the session that the closure has" : "session.write, which is a savepoint")
  }

  package static var sessionElsewhere: DAOError {
    .misuse(
      "a session's DAO was used outside the closure that the session belongs to",
      use: "factory.dao(…), or session.dao(…) inside the closure")
  }

  package static var sessionOver: DAOError {
    .misuse("a session's DAO was used after the session's end", use: "factory.dao(…), which lives as long as you like")
  }

  package static var sessionOnlyReads: DAOError {
    .readOnly(entity: nil, reason: "the session was opened by read { }; use write { }")
  }

  package static var sessionWithAwait: DAOError {
    .misuse("a session's DAO was called with await", use: "its synchronous functions; a session stays in its closure")
  }

  package static var sessionStreamed: DAOError {
    .misuse("a session's DAO was asked for a stream", use: "withCursor; a session stays in its closure")
  }

  package static var unitInClosure: DAOError {
    .misuse("a unit of work was used inside a closure of its store, or of its parent", use: "it outside of the closure")
  }
}
