/// The factory of a task's one-liners. Calls with `await` take it along to the thread that works for them.
package enum CarriedFactory {
  /// The factory, whose type is known to those who set it.
  @TaskLocal package static var current: (any AnyObject & Sendable)?
}
