import CFuzzer

/// Changes whole values of a JSON text three times in four, since changes of bytes seldom leave one that is sound. The name is the one that
/// libFuzzer looks for.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int, _ seed: CUnsignedInt) -> Int {
  var mutation = Mutation(bytes: Array(UnsafeBufferPointer(start: start, count: count)), random: SeededGenerator(state: UInt64(seed)))
  guard let changed = mutation.changed(), changed.count <= maximum else { return LLVMFuzzerMutate(start, count, maximum) }
  for (index, byte) in changed.enumerated() { start[index] = byte }
  return changed.count
}

private struct Mutation {
  let bytes: [UInt8]
  var random: SeededGenerator

  private static let values = [
    "true", "null", "0", "1e3", "1.5", "\"name\"", "\"*\"", "\"\"", "[]", "{}", #"{"not":true}"#, #"{"isNull":"name"}"#,
    #"{"some":"country"}"#,
    #"{"all":[]}"#, #"{"any":[true,{"isNull":"code"}]}"#, #"{"value":null}"#, #"{"value":1}"#, #"{"value":"a"}"#, #"{"lower":"name"}"#,
    #"{"count":"*"}"#, #"{"max":"id","over":"transitions"}"#, #"{"coalesce":["name"]}"#, #"{"field":["name"]}"#, #"{"real":1}"#,
    #"{"date":"2001-01-01T00:00:00.1234567Z"}"#, #"{"by":"name"}"#, #"{"term":"name"}"#,
  ].map { Array($0.utf8) }

  private static let members = [
    #""filter":true,"#, #""limit":1,"#, #""offset":1,"#, #""distinct":true,"#, #""having":false,"#, #""order":[{"by":"id"}],"#,
    #""caseSensitive":false,"#, #""direction":"descending","#, #""nulls":"last","#, #""group":true,"#, #""as":"x","#, #""where":true,"#,
    #""over":"transitions","#,
  ].map { Array($0.utf8) }

  /// The text with one value or member changed; nil where it is left to libFuzzer.
  mutating func changed() -> [UInt8]? {
    let values = values()
    guard random.next() % 4 != 0, let place = values.randomElement(using: &random) else { return nil }
    var changed = bytes
    switch random.next() % 5 {
    case 0: changed.replaceSubrange(place, with: bytes[values.randomElement(using: &random) ?? place])
    case 1: changed.replaceSubrange(place, with: Self.values.randomElement(using: &random) ?? [])
    case 2:
      // Now and then very many: limits are met there.
      let copies = random.next() % 8 == 0 ? 1 << (random.next() % 13) : 1
      let copy = [UInt8(ascii: ",")] + bytes[place]
      if copies * copy.count > 1 << 16 { return nil }
      changed.insert(contentsOf: repeatElement(copy, count: copies).joined(), at: place.upperBound)
    case 3:
      let end = bytes[place.upperBound...].first == UInt8(ascii: ",") ? place.upperBound + 1 : place.upperBound
      changed.removeSubrange(place.lowerBound..<end)
    default:
      guard bytes[place.lowerBound] == UInt8(ascii: "{") else { return nil }
      changed.insert(contentsOf: Self.members.randomElement(using: &random) ?? [], at: place.lowerBound + 1)
    }
    return changed
  }

  /// Where values stand: texts, names among them, words and numbers, objects and lists.
  private func values() -> [Range<Int>] {
    var (found, open, position) = ([Range<Int>](), [Int](), 0)
    while position < bytes.count {
      let start = position
      position += 1
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(start)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if let first = open.popLast() { found.append(first..<position) }
      case UInt8(ascii: "\""):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
        position = min(position + 1, bytes.count)
        found.append(start..<position)
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
        while position < bytes.count, bytes[position] >= UInt8(ascii: "."), bytes[position] <= UInt8(ascii: "z"),
          bytes[position] != UInt8(ascii: "]")
        {
          position += 1
        }
        found.append(start..<position)
      default: break
      }
    }
    return found
  }
}

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
