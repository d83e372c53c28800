import CDAOSystem

/// Which stores' closures the current thread is inside.
///
/// GRDB ends the process when an access is nested in another; a marker on the thread finds that out before and makes it a typed error.
package enum ThreadMarker {
  @usableFromInline
  struct Frame {
    /// Nil where sessions outside of it are out of reach; see ``hidingSessions(_:)``.
    @usableFromInline let engine: ObjectIdentifier?
    /// The session that calls of the engine join.
    @usableFromInline let session: Unmanaged<AnyObject>?
    @usableFromInline let outer: UnsafeMutableRawPointer?

    @inlinable
    init(engine: ObjectIdentifier?, session: Unmanaged<AnyObject>?, outer: UnsafeMutableRawPointer?) {
      self.engine = engine
      self.session = session
      self.outer = outer
    }
  }

  /// Whether the thread is inside a closure of the engine.
  @inlinable
  package static func isInside(_ engine: AnyObject) -> Bool {
    var next = dao_thread_marker()
    while let pointer = next {
      let frame = pointer.assumingMemoryBound(to: Frame.self).pointee
      if frame.engine == ObjectIdentifier(engine) { return true }
      next = frame.outer
    }
    return false
  }

  /// Runs a body as the inside of the engine.
  /// - Parameter session: the session that calls of the engine join inside the body; nil where they are refused.
  @inlinable @inline(__always)
  package static func entering<Result>(
    _ engine: AnyObject, session: AnyObject? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    try entering(ObjectIdentifier(engine), session: session, body)
  }

  /// Runs a body that is called in the middle of a statement, in which calls join no session.
  @inlinable
  package static func hidingSessions<Result>(_ body: () throws -> Result) rethrows -> Result { try entering(nil, session: nil, body) }

  /// The session that a call of the engine joins on this thread; nil where there is none.
  package static func session(of engine: AnyObject) -> AnyObject? {
    var next = dao_thread_marker()
    while let pointer = next {
      let frame = pointer.assumingMemoryBound(to: Frame.self).pointee
      if frame.engine == nil { return nil }
      if frame.engine == ObjectIdentifier(engine) { return frame.session?.takeUnretainedValue() }
      next = frame.outer
    }
    return nil
  }

  @inlinable @inline(__always)
  static func entering<Result>(
    _ engine: ObjectIdentifier?, session: AnyObject?, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = dao_thread_marker()
    var frame = Frame(engine: engine, session: session.map { Unmanaged.passUnretained($0) }, outer: outer)
    return try withUnsafeMutablePointer(to: &frame) { pointer in
      dao_set_thread_marker(pointer)
      defer { dao_set_thread_marker(outer) }
      return try body()
    }
  }

  /// Returns a function that tests whether it is called on the thread that made it.
  package static func currentThreadTest() -> @Sendable () -> Bool {
    let identity = Int(bitPattern: dao_thread_identity())
    return { Int(bitPattern: dao_thread_identity()) == identity }
  }
}
