import DAOCriteria

extension Migration {
  /// Which step of how many a migration is at.
  public struct Progress: Sendable, Hashable {
    /// The step, in words.
    public let step: String
    /// Its number, from 1.
    public let number: Int
    /// The number of steps.
    public let count: Int

    package init(step: String, number: Int, count: Int) {
      self.step = step
      self.number = number
      self.count = count
    }
  }
}
