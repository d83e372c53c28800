import DAOCriteria
import DAOSQL
import DAOSchema

/// What is known of a column when forms are proposed for it.
struct ColumnFacts {
  let column: StoreSchema.Column
  let rule: ColumnRule?
  /// The name of its table.
  let table: String
  /// What its values look like; nil where the rows can't be read.
  let seen: ColumnEvidence?

  /// The same of a column whose rows can't be read.
  var unread: ColumnFacts { ColumnFacts(column: column, rule: rule, table: table, seen: nil) }
  var evidence: ColumnEvidence { seen ?? ColumnEvidence() }

  // Core Data writes the names of its entities and attributes in capitals behind a Z.
  private var isCoreData: Bool { [table, column.name].allSatisfy { $0.hasPrefix("Z") && $0 == $0.uppercased() } }
  private var name: NameWords { NameWords(isCoreData ? String(column.name.dropFirst()) : column.name) }
  private var meaning: DeclaredMeaning? { DeclaredMeaning(declaredName: column.declaredType) }

  /// Whether its declared type says that its values are dates.
  var isDeclaredDate: Bool { meaning == .instant }
  private var saysMoney: Bool { name.saysMoney || SchemaName.capitals(column.declaredType).contains("MONEY") }

  /// The forms that are worth counting, the likeliest first.
  func proposals() -> [FormProposal] {
    (truths() + texts() + dates() + numbers() + identities() + blobs()).sorted { $0.ground.rawValue > $1.ground.rawValue }
  }

  // MARK: Truth

  private func truths() -> [FormProposal] {
    var found: [FormProposal] = []
    let allowed: [StoredValue]? = if case .values(let values)? = rule { values } else { nil }
    if let rule, rule.allowsBitsAlone(in: Affinity(declaredName: column.declaredType)) {
      found.append(FormProposal(type: .bool, ground: .declared, reason: "a CHECK allows 0 and 1 alone"))
    } else if rule == nil, evidence.integers > 0, evidence.zeros + evidence.ones == evidence.integers {
      // One of the two alone may be a count that has not begun, or the first of many kinds.
      let isBoth = evidence.zeros > 0 && evidence.ones > 0
      let ground: FormProposal.Ground = name.asksQuestion || isBoth && name.saysTruth ? .hinted : isBoth ? .possible : .listed
      let said = name.asksQuestion ? "its name asks a question" : "its name says yes or no"
      found.append(FormProposal(type: .bool, ground: ground, reason: ground == .hinted ? said : "0 and 1 are all its values"))
    }
    let listed = allowed?.compactMap { if case .text(let text) = $0 { text } else { nil } }
    if let listed, listed.count == 2, let words = Self.boolText(Set(listed)) {
      return found + [FormProposal(type: .boolText(words), ground: .declared, reason: "a CHECK allows these words alone")]
    }
    guard evidence.texts > 0, let seen = evidence.words else { return found }
    let places = Set(
      seen.keys.map { $0.lowercased() }.map { word in
        [BoolText.trueWords, BoolText.falseWords].compactMap { $0.firstIndex(of: word) }.first ?? -1
      })
    if places.count > 1, !places.contains(-1) {
      // Some are of one pair, some of another.
      for place in places.sorted() {
        let own = seen.filter { [BoolText.trueWords[place], BoolText.falseWords[place]].contains($0.key.lowercased()) }
        guard let words = Self.boolText(Set(own.keys), preferring: own) else { continue }
        found.append(FormProposal(type: .boolText(words), ground: .shown, reason: "some of its texts are these words"))
      }
    } else if let words = Self.boolText(Set(seen.keys), preferring: seen) {
      let isBoth = Set(seen.keys.map { $0.lowercased() }).count == 2
      let ground: FormProposal.Ground = !isBoth ? .possible : !words.isDigits ? .shown : name.saysTruth ? .hinted : .possible
      found.append(FormProposal(type: .boolText(words), ground: ground, reason: "it has no other words"))
    }
    return found
  }

  /// The pair of words that some texts are of, spelled as most of them are.
  private static func boolText(_ texts: Set<String>, preferring counts: [String: Int] = [:]) -> BoolText? {
    let small = Set(texts.map { $0.lowercased() })
    guard let place = BoolText.trueWords.indices.first(where: { small.isSubset(of: [BoolText.trueWords[$0], BoolText.falseWords[$0]]) }),
      !small.isEmpty
    else { return nil }
    let (isTrue, isFalse) = (BoolText.trueWords[place], BoolText.falseWords[place])
    let spellings: [(String) -> String] = [{ $0 }, { $0.uppercased() }, { $0.capitalized }]
    func count(_ spell: (String) -> String) -> Int {
      [isTrue, isFalse].reduce(0) { $0 + (counts[spell($1)] ?? (texts.contains(spell($1)) ? 1 : 0)) }
    }
    let best = spellings.max { count($0) < count($1) } ?? { $0 }
    let words = BoolText("\(best(isTrue))/\(best(isFalse))")
    return words.problem == nil ? words : nil
  }

  // MARK: Texts

  private func texts() -> [FormProposal] {
    guard evidence.texts > 0 else { return [] }
    var found: [FormProposal] = []
    let declared = DeclaredMeaning.width(declaredName: column.declaredType)
    let width = evidence.widths.count == 1 ? evidence.widths.first : nil
    if let declared, declared > 1, evidence.padded > 0 {
      found.append(
        declared == width
          ? FormProposal(
            type: .text(.padded(declared)), ground: .declared, reason: "it is declared \(column.declaredType), and filled up with blanks")
          : FormProposal(type: .text(.padded(declared)), ground: .hinted, reason: "some of its texts are filled up with blanks"))
    } else if let width, width > 1, evidence.padded * 4 > evidence.texts {
      found.append(FormProposal(type: .text(.padded(width)), ground: .hinted, reason: "all texts are filled up with blanks"))
    }
    if evidence.json * 2 > evidence.texts {
      found.append(FormProposal(type: .json, ground: .listed, reason: "the texts are JSON"))
    }
    return found
  }

  // MARK: Dates

  private func dates() -> [FormProposal] { dateTexts() + timeUnits() }

  private func dateTexts() -> [FormProposal] {
    let frames = Dictionary(grouping: evidence.dates.keys, by: \.frame)
    let counted = frames.map { frame, shapes in (frame, shapes, shapes.reduce(0) { $0 + (evidence.dates[$1] ?? 0) }) }
    return counted.filter { $0.2 * 20 >= evidence.texts }.sorted { $0.2 > $1.2 }.prefix(4).map { frame, shapes, _ in
      // Django declares its dates so, and leaves out six zeros; others that write six digits write them always.
      let pattern = frame.pattern(of: evidence.dates.filter { shapes.contains($0.key) }, leavesOutZeros: column.declaredType == "datetime")
      let isOwn = pattern == "YYYY-MM-DDTHH:MM:SS.SSSZ" && meaning != .instant
      let type: AttributeType = isOwn ? .date(.iso8601) : .date(.text(DatePattern(pattern)))
      // Minutes and seconds look like hours and minutes.
      let ground: FormProposal.Ground = frame.hasDay || meaning == .instant ? .shown : name.saysTime ? .hinted : .possible
      let zone = frame.hasDay && frame.hasClock && frame.suffix.isEmpty ? "; no zone is written, UTC is assumed" : ""
      return FormProposal(type: type, ground: ground, reason: "its texts are laid out so" + zone)
    }
  }

  private func timeUnits() -> [FormProposal] {
    var found: [FormProposal] = []
    let numbers = evidence.integers + evidence.reals
    // Another program's names may begin with a Z as well.
    let countsFrom1970 = (evidence.recentUnits[.seconds] ?? 0) * 2 > numbers
    if numbers > 0, isCoreData, SchemaName.same(column.declaredType, "TIMESTAMP"), !countsFrom1970 {
      return [FormProposal(type: .date(.secondsSince2001), ground: .declared, reason: "Core Data declares dates so")]
    }
    if evidence.julianDays * 3 >= evidence.reals, evidence.reals * 2 > numbers {
      // Prices and lengths may be millions too.
      let ground: FormProposal.Ground = meaning == .instant ? .declared : name.saysDate || name.saysTime ? .hinted : .possible
      found.append(FormProposal(type: .date(.julianDays), ground: ground, reason: "its numbers are days of our time by the Julian count"))
    }
    // Where some count in one unit and some in another, neither is right.
    let isMixed = evidence.nearUnits.filter { $0.value > 1 && $0.value * 50 >= evidence.values }.count > 1
    let said: FormProposal.Ground = isMixed ? .possible : meaning == .instant ? .declared : name.saysDate ? .hinted : .possible
    func ground(_ unit: ColumnEvidence.TimeUnit) -> FormProposal.Ground { mayBeOtherwise(unit) ? .possible : said }
    if let (unit, count) = evidence.numbersOfUnit.max(by: { $0.value < $1.value }), count * 3 >= numbers, found.isEmpty, isNear(unit) {
      let types: [AttributeType.DateStorage] = [.unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds]
      found.append(
        FormProposal(type: .date(types[unit.rawValue]), ground: ground(unit), reason: "counted from 1970 in \(unit) most are of our time"))
      if unit == .seconds, mayBeOtherwise(unit) {
        found.append(
          FormProposal(type: .date(.secondsSince2001), ground: .possible, reason: "counted from 2001 in seconds they may be of our time"))
      }
    }
    if let (unit, count) = evidence.textsOfUnit.max(by: { $0.value < $1.value }), count * 3 >= evidence.texts, unit.rawValue < 2,
      isNear(unit)
    {
      found.append(
        FormProposal(
          type: .date(unit == .seconds ? .unixSecondsText : .unixMillisecondsText), ground: ground(unit),
          reason: "its digits, counted from 1970 in \(unit), are of our time"))
    }
    return found
  }

  /// Whether some values of a unit are of these decades: other numbers, such as 20240229, may be instants of the years around 1970.
  private func isNear(_ unit: ColumnEvidence.TimeUnit) -> Bool { (evidence.nearUnits[unit] ?? 0) * 20 >= evidence.values }

  /// Whether the values of a unit may count from another time than 1970, or be dates by their digits. From 1970 they are hardly later than
  /// 2000: so are those of today that count from 2001, and the ticks of .NET.
  private func mayBeOtherwise(_ unit: ColumnEvidence.TimeUnit) -> Bool {
    let near = evidence.nearUnits[unit] ?? 0
    return (evidence.recentUnits[unit] ?? 0) * 20 < near || unit == .seconds && near > 2 && evidence.writtenHours == near
  }

  // MARK: Numbers

  private func numbers() -> [FormProposal] {
    var found: [FormProposal] = []
    let isReal = AttributeType.isReal(declared: column.declaredType)
    func rounded(_ digits: Int) -> AttributeType { .decimal(isReal ? .real(digits) : .numeric(digits)) }
    if let digits = DeclaredMeaning.digits(declaredName: column.declaredType), 0...18 ~= digits, meaning == .number || isReal {
      found.append(
        FormProposal(type: rounded(digits), ground: .declared, reason: "it is declared \(column.declaredType)", isFirm: true))
    } else if let usual = evidence.usualDigits {
      // Of a few prices none may need its second digit.
      let digits = saysMoney ? max(usual, 2) : usual
      let fitting = evidence.count(ofDigits: digits)
      let isMost = fitting * 20 >= evidence.reals * 19
      let ground: FormProposal.Ground =
        isMost && saysMoney ? .hinted : meaning != .number || isReal ? .listed : isMost ? .hinted : .possible
      found.append(
        FormProposal(
          type: rounded(digits), ground: ground,
          reason: "\(fitting) of \(evidence.reals) doubles have at most \(digits) digits after the point"))
    }
    if evidence.decimals > 0, evidence.decimals * 2 > evidence.texts {
      let (isLabel, isCode) = (name.saysLabel, evidence.zeroLed * 4 >= evidence.decimals)
      // Three digits may be thousands, two of a time minutes, and as many as there are those of a version.
      let digits = evidence.decimalDigits.count == 1 ? evidence.decimalDigits.keys.first ?? 0 : 0
      let isSaid = meaning == .number || !isLabel && digits != 3 && (saysMoney || digits > 1 && !name.saysTime)
      let mayBe = !isLabel && evidence.decimalsWithPoint > 0
      found.append(
        FormProposal(
          type: .decimal(.text), ground: isCode ? .listed : isSaid ? .hinted : mayBe ? .possible : .listed,
          reason: "its texts are decimal numbers"))
    }
    if name.words.contains(where: { ["cents", "cent", "pence"].contains($0) }), evidence.integers == evidence.values {
      found.append(FormProposal(type: .decimal(.scaled(2)), ground: .listed, reason: "its name says hundredths"))
    }
    return found
  }

  // MARK: Identity

  private func identities() -> [FormProposal] {
    var counts = evidence.uuids
    for (spelling, count) in evidence.caselessUUIDs {
      let other = spelling.union(.capitals)
      counts[counts[other] != nil && counts[spelling] == nil ? other : spelling, default: 0] += count
    }
    let isMarked = evidence.markedUUIDs == evidence.values || name.saysUUID || meaning == .uuid
    return counts.filter { $0.value * 20 >= evidence.texts }.sorted { $0.value > $1.value }.map { spelling, _ in
      // Thirty-two hexadecimal digits may be any digest.
      let isShown = !spelling.contains(.withoutHyphens) || isMarked
      return FormProposal(
        type: spelling.type, ground: isShown ? .shown : .possible,
        reason: isShown ? "its texts are UUIDs" : "its texts are 32 hexadecimal digits")
    }
  }

  private func blobs() -> [FormProposal] {
    guard evidence.blobs > 0 else { return [] }
    var found: [FormProposal] = []
    if evidence.blobsOf16 * 2 > evidence.blobs {
      let isSaid = name.saysUUID || meaning == .uuid || evidence.markedUUIDs == evidence.values
      found.append(FormProposal(type: .uuid(.blob), ground: isSaid ? .hinted : .possible, reason: "its values have 16 bytes"))
    }
    if evidence.textBlobs * 2 > evidence.blobs {
      found.append(
        FormProposal(
          type: .text(.blob), ground: evidence.textBlobs == evidence.blobs ? .hinted : .listed, reason: "its bytes are readable UTF-8"))
    }
    return found
  }
}

extension ColumnRule {
  /// Whether 0 and 1 are all that it allows. Fractions lie between them as well, in a column that does not ask for integers.
  fileprivate func allowsBitsAlone(in affinity: Affinity) -> Bool {
    switch self {
    case .values(let values): Set(values.map(\.wholeNumber)) == [.integer(0), .integer(1)]
    case .range(let lower, let upper):
      affinity == .integer && lower == .init(.integer(0), isIncluded: true) && upper == .init(.integer(1), isIncluded: true)
    }
  }
}
