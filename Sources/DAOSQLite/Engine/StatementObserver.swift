/// Receives the statements that a store runs.
package struct StatementObserver: Sendable {
  /// The observer of the store that the calling thread makes ready: of the files that it opens meanwhile.
  @TaskLocal static var ofOpening: StatementObserver?

  /// Only statements that took at least so long are reported, without their rows; zero for all of them.
  package let minimum: Duration
  /// Whether their texts with their values are reported too.
  package let showsValues: Bool
  /// Called when a statement begins, on the thread that runs it; nil where nobody asks.
  package let begins: (@Sendable () -> Void)?
  /// Receives a statement when it has ended, on the thread that runs it.
  package let report: @Sendable (StatementTrace) -> Void

  /// An observer of all statements, or of slow ones.
  package init(
    minimum: Duration = .zero, showsValues: Bool = false, begins: (@Sendable () -> Void)? = nil,
    _ report: @escaping @Sendable (StatementTrace) -> Void
  ) {
    self.minimum = minimum
    self.showsValues = showsValues
    self.begins = begins
    self.report = report
  }
}
