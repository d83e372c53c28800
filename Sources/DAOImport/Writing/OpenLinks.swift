/// The links of an import that are open, by the rows that they wait for and those that wait.
struct OpenLinks {
  private var links: [Int: OpenLink] = [:]
  private var bySource: [OpenLink.Source: [Int]] = [:]
  private var byTarget: [OpenLink.Target: [Int]] = [:]
  private var next = 1
  /// Links that are new, and numbers of others that are no more, since ``takeChanges()``.
  private var new: Set<Int> = []
  private var gone: Set<Int> = []

  var isEmpty: Bool { links.isEmpty }

  /// All of them, in the order of their records.
  var all: [OpenLink] { links.sorted { $0.key < $1.key }.map(\.value) }

  mutating func add(_ link: OpenLink) {
    new.insert(next)
    add(link, next)
  }

  /// Adds a link that a store has by its number.
  mutating func restore(_ link: OpenLink, _ number: Int) { add(link, number) }

  private mutating func add(_ link: OpenLink, _ number: Int) {
    links[number] = link
    bySource[link.source, default: []].append(number)
    byTarget[link.target, default: []].append(number)
    next = max(next, number + 1)
  }

  /// What has changed since the last time: the new links, and the numbers of those that are no more.
  mutating func takeChanges() -> (new: [(number: Int, link: OpenLink)], gone: [Int]) {
    defer { (new, gone) = ([], []) }
    return (new.sorted().compactMap { number in links[number].map { (number, $0) } }, gone.sorted())
  }

  /// Forgets the links of a row's relationship: a later record says what it is.
  mutating func remove(_ source: OpenLink.Source) {
    for number in bySource.removeValue(forKey: source) ?? [] { take(number) }
  }

  /// Takes the links that wait for a row.
  mutating func take(waitingFor target: OpenLink.Target) -> [OpenLink] {
    (byTarget.removeValue(forKey: target) ?? []).compactMap { take($0) }
  }

  /// Takes all links.
  mutating func takeAll() -> [OpenLink] {
    defer { self = OpenLinks() }
    return all
  }

  @discardableResult
  private mutating func take(_ number: Int) -> OpenLink? {
    guard let link = links.removeValue(forKey: number) else { return nil }
    if new.remove(number) == nil { gone.insert(number) }
    bySource[link.source]?.removeAll { $0 == number }
    if bySource[link.source]?.isEmpty == true { bySource[link.source] = nil }
    byTarget[link.target]?.removeAll { $0 == number }
    if byTarget[link.target]?.isEmpty == true { byTarget[link.target] = nil }
    return link
  }
}
