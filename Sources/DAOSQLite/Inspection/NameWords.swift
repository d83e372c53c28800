import DAOCriteria

/// The words of a column's name, in small letters: `createdAt`, `created_at` and `Created At` are `created`, `at`.
struct NameWords {
  let words: [String]

  init(_ name: String) {
    var (words, word): ([String], String) = ([], "")
    var previous: Character = "_"
    for character in name {
      guard character.isLetter else {
        words.append(word)
        word = ""
        previous = character
        continue
      }
      if character.isUppercase, !previous.isUppercase {
        words.append(word)
        word = ""
      }
      word.append(character)
      previous = character
    }
    self.words = (words + [word]).filter { !$0.isEmpty }.map { $0.lowercased() }
  }

  // What a name is of stands at its end: `read_count` is a count, and `paid_by` a person.

  /// Whether the name speaks of an instant or a day.
  var saysDate: Bool { words.count > 1 && isLast(["at", "on", "ts"]) || isLast(Self.dates) || ends(["date", "timestamp"]) }
  /// Whether it speaks of a time of day.
  var saysTime: Bool { isLast(["time", "at", "opens", "closes", "starts", "ends", "begins"]) }
  /// Whether it speaks of money.
  var saysMoney: Bool { isLast(Self.money) || ends(["price", "amount", "total", "cost"]) }
  /// Whether it asks for a yes or no.
  var asksQuestion: Bool { words.first.map { ["is", "has", "can", "was", "should"].contains($0) } == true && !isLast(Self.counts) }
  /// Whether it speaks of a yes or no.
  var saysTruth: Bool { asksQuestion || isLast(Self.truths) }
  /// Whether it speaks of a UUID.
  var saysUUID: Bool { ends(["uuid", "guid"]) }
  /// Whether it speaks of something that has digits and is no number.
  var saysLabel: Bool { isLast(Self.labels) }

  private func isLast(_ list: Set<String>) -> Bool { words.last.map(list.contains) == true }
  private func ends(_ list: [String]) -> Bool { words.last.map { word in list.contains { word.hasSuffix($0) } } == true }

  private static let counts: Set<String> = ["count", "number", "total", "by", "id", "score", "level", "rank"]
  private static let labels: Set<String> = [
    "version", "release", "code", "number", "no", "zip", "phone", "ip", "id", "chapter", "section", "center", "plan", "key",
  ]
  private static let dates: Set<String> = [
    "date", "time", "timestamp", "datetime", "created", "modified", "updated", "changed", "deleted", "edited", "synced", "seen", "since",
    "stamp", "until", "expires", "expiry", "birthday", "born", "when", "day", "logged", "sent", "received", "jd", "julian",
  ]
  private static let money: Set<String> = [
    "price", "amount", "total", "subtotal", "cost", "fee", "tax", "balance", "freight", "salary", "payment", "discount", "rate",
  ]
  private static let truths: Set<String> = [
    "active", "enabled", "disabled", "done", "deleted", "hidden", "visible", "paid", "closed", "archived", "read", "sent", "valid",
    "discontinued",
  ]
}
