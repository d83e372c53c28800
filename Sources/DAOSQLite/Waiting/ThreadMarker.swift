import CDAOSystem

/// Which stores' closures the current thread is inside.
///
/// GRDB ends the process when an access is nested in another; a marker on the thread finds that out before and makes it a typed error.
package enum ThreadMarker {
  private struct Frame {
    let engine: ObjectIdentifier
    let outer: UnsafeMutableRawPointer?
  }

  /// Whether the thread is inside a closure of the engine.
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
  @inline(__always)
  package static func entering<Result>(_ engine: AnyObject, _ body: () throws -> Result) rethrows -> Result {
    let outer = dao_thread_marker()
    var frame = Frame(engine: ObjectIdentifier(engine), outer: outer)
    return try withUnsafeMutablePointer(to: &frame) { pointer in
      dao_set_thread_marker(pointer)
      defer { dao_set_thread_marker(outer) }
      return try body()
    }
  }

  /// Something that tells whether it is called on the thread that made it.
  package static func currentThreadTest() -> @Sendable () -> Bool {
    let identity = Int(bitPattern: dao_thread_identity())
    return { Int(bitPattern: dao_thread_identity()) == identity }
  }
}
