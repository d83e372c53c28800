import Foundation

extension CompiledZone {
  /// Reads a compiled zone, and refuses whatever breaks the format's rules.
  init(_ url: URL) throws {
    let data: Data
    do { data = try Data(contentsOf: url) } catch { throw InputError(url, "cannot be read: \(error.localizedDescription)") }
    var reader = Reader(url: url, bytes: [UInt8](data))
    // The first block has 32-bit times, for readers of version 1.
    let first = try reader.header()
    guard first.version >= UInt8(ascii: "2") else { throw reader.error("is a TZif file of version 1, without 64-bit times") }
    _ = try reader.take(first.blockLength(timeSize: 4))

    let header = try reader.header()
    guard header.leapCount == 0 else { throw reader.error("counts leap seconds; take the zones that do not") }
    guard header.typeCount > 0, header.characterCount > 0 else { throw reader.error("has no local time types") }
    let block = try reader.block(header)
    guard let initial = block.types.first else { throw reader.error("has no local time types") }
    self.initial = initial
    transitions = block.transitions
    footer = try reader.footer()
  }
}

/// A header's counts.
private struct Header {
  let version: UInt8
  let universalCount, standardCount, leapCount, timeCount, typeCount, characterCount: Int

  func blockLength(timeSize: Int) -> Int {
    timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + standardCount + universalCount
  }
}

/// Walks over a file's bytes; each step checks that they are there.
private struct Reader {
  let url: URL
  let bytes: [UInt8]
  var position = 0

  func error(_ reason: String) -> InputError { InputError(url, reason) }

  mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw error("is cut off: \(bytes.count) bytes, \(position + count) needed at least") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func header() throws -> Header {
    let start = position
    guard try take(4).elementsEqual("TZif".utf8) else { throw error("is not a TZif file: no “TZif” at byte \(start)") }
    let version = try take(16).first ?? 0
    func count() throws -> Int { Int(try take(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
    let (universal, standard, leap) = (try count(), try count(), try count())
    let (time, type, character) = (try count(), try count(), try count())
    return Header(
      version: version, universalCount: universal, standardCount: standard, leapCount: leap, timeCount: time, typeCount: type,
      characterCount: character)
  }

  mutating func block(_ header: Header) throws -> (types: [CompiledZone.LocalTime], transitions: [CompiledZone.Transition]) {
    // Checked as a whole before anything is reserved for it.
    let length = header.blockLength(timeSize: 8)
    _ = try take(length)
    position -= length

    let instants = try (0..<header.timeCount).map { _ in
      Int64(bitPattern: try take(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    guard zip(instants, instants.dropFirst()).allSatisfy({ $0 < $1 }) else { throw error("has transitions out of order") }
    let indexes = try take(header.timeCount).map(Int.init)
    let raw = try (0..<header.typeCount).map { _ in Array(try take(6)) }
    let names = Array(try take(header.characterCount))
    _ = try take(header.standardCount + header.universalCount)

    let types = try raw.map { type in
      let offset = Int(Int32(bitPattern: type[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
      // RFC 9636: the offset should lie between -25 and 26 hours.
      guard -89_999...93_599 ~= offset, type[4] <= 1 else {
        throw error("has a local time type with an impossible offset or daylight mark")
      }
      guard let end = names.dropFirst(Int(type[5])).firstIndex(of: 0),
        let abbreviation = String(bytes: names[Int(type[5])..<end], encoding: .utf8), !abbreviation.isEmpty
      else { throw error("has a local time type without an abbreviation") }
      return CompiledZone.LocalTime(offset: offset, isDaylight: type[4] == 1, abbreviation: abbreviation)
    }
    guard indexes.allSatisfy({ $0 < types.count }) else { throw error("has a transition to a local time type that is not there") }
    return (types, zip(instants, indexes).map { CompiledZone.Transition(instant: $0, localTime: types[$1]) })
  }

  /// A line between two newlines that ends the file.
  mutating func footer() throws -> String {
    let rest = try take(bytes.count - position)
    guard rest.count >= 2, rest.first == UInt8(ascii: "\n"), rest.last == UInt8(ascii: "\n"),
      let footer = String(bytes: rest.dropFirst().dropLast(), encoding: .utf8), !footer.contains("\n")
    else { throw error("is cut off or goes on after its end: no footer line at byte \(position - rest.count)") }
    return footer
  }
}
