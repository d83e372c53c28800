/// The space that compacting a store has freed.
public struct Compaction: Sendable, Hashable {
  /// The store's size before, in bytes: its pages, whether they lay in the file or in the WAL beside it.
  public let sizeBefore: Int64
  /// Its size now.
  public let size: Int64
  /// Whether the file on disk has shrunk already. It has not while a reader keeps an old snapshot; the file then shrinks when a later write
  /// or close finds no reader.
  public let hasShrunk: Bool

  /// How many bytes were freed.
  public var freed: Int64 { sizeBefore - size }
}
