import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A `-wal` as its bytes say (sqlite.org/fileformat2.html, section 4). SQLite reads it as far as it is sound and ignores the rest, so that
/// commits there are lost silently.
struct WriteAheadLog: Equatable {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// A suspicious property of a WAL.
  enum Problem: Equatable {
    /// It belongs to another file, or to an earlier state of this one.
    case foreign(String)
    /// Commits in it can't be read any more.
    case damaged(String)
    /// It ends in the middle of something. A writer was interrupted, which loses nothing that was committed; or it was cut, and may have
    /// lost all.
    case cut(String)
    /// Its last frames belong to no commit: a writer that is at work, was interrupted, or has been cut off.
    case uncommitted
  }

  let problem: Problem?

  /// - Parameters:
  ///   - path: the WAL's.
  ///   - main: the first bytes of the database.
  ///   - size: how many bytes the database has.
  init(_ path: String, of main: [UInt8], size mainBytes: Int64 = 0) throws {
    let file = try OpenFile(path, O_RDONLY)
    let size = try file.status().size
    let bytes = try file.read(Self.headerSize, at: 0)
    guard bytes.count == Self.headerSize else {
      problem = size == 0 ? nil : .cut("it ends after \(size) bytes, inside its header")
      return
    }
    let isBigEndian = bytes[3] & 1 == 1
    var sum = Checksum(isBigEndian: isBigEndian)
    sum.add(bytes[0..<24])
    guard bytes[0..<3] == [0x37, 0x7F, 0x06], bytes[3] & 0xFE == 0x82, sum.isWritten(in: bytes[24..<32]) else {
      let holdsFrames = size > Int64(Self.headerSize + Self.frameHeaderSize)
      problem = holdsFrames ? .damaged("its header is damaged, and nothing of it is read") : .cut("its header is not whole")
      return
    }
    let pageSize = Int(Self.number(bytes, at: 8))
    let mainSize = SeedHeader(main).map { Int($0.pageSize) } ?? pageSize
    guard pageSize == mainSize else {
      problem = .foreign("its pages have \(pageSize) bytes, and the file's \(mainSize)")
      return
    }
    problem = try Self.problem(of: file, size: size, pageSize: pageSize, salt: Array(bytes[16..<24]), sum, main, mainBytes)
  }

  /// Goes through the frames. Those behind the last of this generation are old, and do not matter.
  private static func problem(
    of file: borrowing OpenFile, size: Int64, pageSize: Int, salt: [UInt8], _ header: Checksum, _ main: [UInt8], _ mainBytes: Int64
  ) throws -> Problem? {
    var sum = header
    let length = Int64(frameHeaderSize + pageSize)
    var (offset, number) = (Int64(headerSize), 0)
    var firstPage: [UInt8]?
    var committedFirstPage: [UInt8]?
    var committedCount: Int64?
    var (brokenAt, lostCommits, isOpen): (Int?, Int, Bool) = (nil, 0, false)
    while offset + length <= size {
      let frame = try file.read(Int(length), at: offset)
      guard frame.count == Int(length), Array(frame[8..<16]) == salt else { break }
      number += 1
      offset += length
      let isCommit = Self.number(frame, at: 4) != 0
      if let brokenAt {
        if isCommit { lostCommits += 1 }
        // Of the last commit, a power loss may have kept parts alone.
        if lostCommits > 1 { return .damaged("frame \(brokenAt) is damaged, and the commits from there on are not read") }
        continue
      }
      sum.add(frame[0..<8])
      sum.add(frame[frameHeaderSize...])
      guard sum.isWritten(in: frame[16..<24]) else {
        (brokenAt, lostCommits) = (number, isCommit ? 1 : 0)
        continue
      }
      isOpen = !isCommit
      if Self.number(frame, at: 0) == 1 { firstPage = Array(frame[frameHeaderSize..<frameHeaderSize + SeedHeader.size]) }
      if isCommit { (committedFirstPage, committedCount) = (firstPage, Int64(Self.number(frame, at: 4))) }
    }
    if let committedFirstPage {
      if let problem = foreign(committedFirstPage, to: main) { return problem }
    } else if let committedCount, let problem = foreign(committedCount, to: main, bytes: mainBytes) {
      return problem
    }
    if let brokenAt { return .cut("frame \(brokenAt) is not whole") }
    // SQLite writes whole frames, and shortens a WAL to none.
    let rest = (size - Int64(headerSize)) % length
    if rest != 0 { return .cut("it ends \(rest) bytes after the beginning of a frame") }
    return isOpen ? .uncommitted : nil
  }

  /// In what the first page that a WAL brings can't be of a file: what it counts goes back, or its application is another.
  private static func foreign(_ page: [UInt8], to main: [UInt8]) -> Problem? {
    guard let new = SeedHeader(page), let old = SeedHeader(main) else { return .foreign("its first page is none of a database") }
    if old.applicationID != 0, new.applicationID != old.applicationID {
      return .foreign("it brings the application id \(new.applicationID), and the file has \(old.applicationID)")
    }
    if new.encoding != old.encoding { return .foreign("it brings text in \(new.encoding), and the file's is \(old.encoding)") }
    for (offset, what) in [(24, "change counter"), (40, "schema version")] {
      let (after, before) = (number(page, at: offset), number(main, at: offset))
      if after < before { return .foreign("it brings the \(what) \(after), and the file has \(before) already") }
    }
    return nil
  }

  /// In what the number of pages that a WAL without a first page leaves can't be of a file. A commit that changes the number writes it into
  /// the first page, so it is the number that the file has: in its header or, where somebody has appended to the file, by its bytes.
  private static func foreign(_ count: Int64, to main: [UInt8], bytes: Int64) -> Problem? {
    guard let header = SeedHeader(main), let expected = header.pageCount, count != expected, count != bytes / header.pageSize else {
      return nil
    }
    return .foreign("it leaves \(count) pages without a first one that says so, and the file has \(expected)")
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The running sum over header and frames.
  private struct Checksum {
    let isBigEndian: Bool
    private var (first, second): (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          first &+= word(bytes, offset) &+ second
          second &+= word(bytes, offset + 4) &+ first
        }
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    /// The sums are always written with the highest byte first.
    func isWritten(in bytes: ArraySlice<UInt8>) -> Bool {
      let bytes = Array(bytes)
      return WriteAheadLog.number(bytes, at: 0) == first && WriteAheadLog.number(bytes, at: 4) == second
    }
  }
}
