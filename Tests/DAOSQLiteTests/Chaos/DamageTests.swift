#if os(Linux)
  import DAOCriteria
  import Foundation
  import GRDB
  import TestCases
  import Testing

  @testable import DAOSQLite

  /// Databases that were damaged, used in every way.
  @Suite("Damaged files", .enabled(if: Chaos.isAsked))
  struct DamageTests {
    enum Damage: String, CaseIterable {
      /// Some bytes, anywhere.
      case flipped
      /// Bytes of the header.
      case header
      /// The header of another database.
      case swapped
      /// Too short, by pages or in the middle of one. A file without a byte is no store at all, and made anew.
      case truncated
      /// A page of zeros, or of another's.
      case page
    }

    @Test func `never a crash, a hang or a write to the damaged file; with its manifest required, every change is found`() async throws {
      let scratch = try Scratch()
      let seed = scratch.url("seed.sqlite")
      let raw = scratch.url("raw.sqlite")
      try Items.make(raw, "one", count: 900)
      try Items.run(raw, "CREATE INDEX item_on_name ON item (name)")
      let packer = SeedPacker(describedBy: [item], applicationID: 7, version: 3)
      // What stores are upgraded from to the damaged ones.
      let older = scratch.url("older.sqlite")
      try SeedPacker(describedBy: [item], applicationID: 7, version: 2).pack(raw, to: older)
      try Items.run(raw, "UPDATE item SET name = name || ' more' WHERE id % 3 = 0")
      try packer.pack(raw, to: seed)
      try Items.make(scratch.url("other.sqlite"), "another", count: 3000)
      let (whole, other) = (try Data(contentsOf: seed), try Data(contentsOf: scratch.url("other.sqlite")))
      let manifest = try Data(contentsOf: scratch.url("seed.sqlite.manifest"))

      // What is whole is told from what is damaged, or the word of the doctor below would say nothing.
      let control = scratch.url("control")
      try FileManager.default.createDirectory(at: control, withIntermediateDirectories: true)
      try whole.write(to: control.appendingPathComponent("whole.sqlite"))
      let word = try Probe.start(older, control.path, "damaged", control.path).wait()
      #expect(word.output.contains("whole.sqlite doctor ok sound\n"), "\(word.output)")

      let wanted = Chaos.count(quick: 60, full: 1000)
      var random = Chaos.source()
      var (done, told) = (0, 0)
      while done < wanted {
        await Task.yield()
        let folder = scratch.url("batch")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let count = min(20, wanted - done)
        // By name: whether the header is as it was.
        var unsound: [String: Bool] = [:]
        for number in 0..<count {
          let damage = Damage.allCases[(done + number) % Damage.allCases.count]
          let name = "\(damage)-\(done + number).sqlite"
          let file = folder.appendingPathComponent(name)
          let damaged = Self.damage(whole, damage, other, &random)
          try damaged.write(to: file)
          if !Self.isSound(file) { unsound[name] = damaged.prefix(100) == whole.prefix(100) }
          try manifest.write(to: folder.appendingPathComponent(name + ".manifest"))
        }
        let before = snapshot(folder.path)
        let end = try Probe.start(older, folder.path, "damaged", folder.path).wait()
        #expect(end.status == 0, "\(end.status): \(end.output.suffix(300))")
        #expect(snapshot(folder.path) == before)
        for line in end.output.split(separator: "\n") {
          let words = line.split(separator: " ", maxSplits: 2).map(String.init)
          guard words.count == 3, words[0].hasSuffix(".sqlite") else { continue }
          let (name, use, outcome) = (words[0], words[1], words[2])
          #expect(outcome != "ok WRITTEN", "\(line)")
          if use == "manifest" { #expect(outcome.hasPrefix("failed"), "\(line)") }
          if name.hasPrefix("truncated"), ["seed", "memory", "upgrade", "store"].contains(use) {
            #expect(outcome.hasPrefix("failed"), "\(line)")
          }
          // What is read as a whole is refused, unless a damaged header says of it that it is not newer. The doctor may tell it.
          if let hasItsHeader = unsound[name], ["seed", "memory", "upgrade", "doctor"].contains(use) {
            let isNoNews = use == "upgrade" && outcome == "ok reused" && !hasItsHeader
            let isTold = outcome.hasPrefix("failed") || outcome == "ok damaged" || isNoNews
            #expect(isTold, "\(line)")
            told += 1
          }
        }
        #expect(end.output.split(separator: "\n").count == count * 7 + 2)
        try FileManager.default.removeItem(at: folder)
        done += count
      }
      // Of five kinds of damage, two are mostly of the structure.
      #expect(told >= wanted)
      Chaos.tell("damaged files", "seven uses", done)
    }

    /// What SQLite says of the structure.
    private static func isSound(_ file: URL) -> Bool {
      (try? SQLiteFile.open(file.path, .readUnchanging) { try $0.bareRows("PRAGMA quick_check(1)") { $0.text(0) } }) == ["ok"]
    }

    private static func damage(_ whole: Data, _ damage: Damage, _ other: Data, _ random: inout RandomSource) -> Data {
      var bytes = whole
      func flip(_ range: Range<Int>, _ count: Int) {
        for _ in 0..<count { bytes[Int.random(in: range, using: &random)] ^= UInt8.random(in: 1...255, using: &random) }
      }
      while bytes == whole {
        switch damage {
        case .flipped: flip(0..<bytes.count, Int.random(in: 1...20, using: &random))
        case .header: flip(0..<100, Int.random(in: 1...4, using: &random))
        case .swapped: bytes.replaceSubrange(0..<100, with: other.prefix(100))
        case .truncated:
          let (length, pages) = (1 + random.below(bytes.count - 1), 1 + random.below(bytes.count / 4096 - 1))
          bytes = bytes.prefix(random.once(in: 2) ? length : 4096 * pages)
        case .page:
          let page = random.below(bytes.count / 4096) * 4096
          let another = random.below(other.count / 4096) * 4096
          bytes.replaceSubrange(page..<page + 4096, with: random.once(in: 2) ? Data(count: 4096) : other[another..<another + 4096])
        }
      }
      return bytes
    }
  }
#endif
