/// The bytes of the texts that are bound to a statement for a row. They stay where they are until the next row is bound, so that the engine
/// need not copy each of them to memory that it allocates and frees.
///
/// It belongs to one statement, and lives as long.
@_documentation(visibility: internal)
public final class BoundTexts {
  /// The texts of most rows; longer ones are copied by the engine, which costs little beside their bytes.
  @usableFromInline static var capacity: Int { 4_096 }
  @usableFromInline let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: BoundTexts.capacity)
  @usableFromInline @exclusivity(unchecked) var count = 0

  /// Room for the texts of a row.
  public init() {}

  deinit { bytes.deallocate() }

  /// Copies a text.
  /// - Returns: where it stands until the texts of the next row; nil where there is no room.
  @inlinable @inline(__always)
  func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8>? {
    guard text.count <= Self.capacity - count else { return nil }
    let start = bytes + count
    if let first = text.baseAddress { start.initialize(from: first, count: text.count) }
    count += text.count
    return UnsafePointer(start)
  }
}

// It is its statement's, which stays on one connection.
@available(*, unavailable)
extension BoundTexts: Sendable {}
