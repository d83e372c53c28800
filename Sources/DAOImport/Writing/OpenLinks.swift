/// The links of an import that are open, by the rows that they wait for and those that wait.
struct OpenLinks {
  private var links: [Int: OpenLink] = [:]
  private var bySource: [OpenLink.Source: Set<Int>] = [:]
  private var byTarget: [OpenLink.Target: Set<Int>] = [:]
  private var next = 0
  /// The numbers of links that are new, and others that are no more, since ``takeChanges()``.
  private var new: Set<Int> = []
  private var gone: [OpenLink] = []

  var isEmpty: Bool { links.isEmpty }

  /// All of them, in the order of their records.
  var all: [OpenLink] { links.sorted { $0.key < $1.key }.map(\.value) }

  mutating func add(_ link: OpenLink) {
    new.insert(next)
    restore(link)
  }

  /// Adds a link that the store has.
  mutating func restore(_ link: OpenLink) {
    links[next] = link
    bySource[link.source, default: []].insert(next)
    byTarget[link.target, default: []].insert(next)
    next += 1
  }

  /// What has changed since the last time: links that are new, and others that are no more.
  mutating func takeChanges() -> (new: [OpenLink], gone: [OpenLink]) {
    defer { (new, gone) = ([], []) }
    return (new.sorted().compactMap { links[$0] }, gone)
  }

  /// Forgets the links of a row's relationship: a later record says what it is.
  mutating func remove(_ source: OpenLink.Source) { for number in bySource[source] ?? [] { take(number) } }

  /// Takes the links that wait for a row.
  mutating func take(waitingFor target: OpenLink.Target) -> [OpenLink] { (byTarget[target] ?? []).sorted().compactMap { take($0) } }

  /// Takes all links.
  mutating func takeAll() -> [OpenLink] {
    defer { self = OpenLinks() }
    return all
  }

  @discardableResult
  private mutating func take(_ number: Int) -> OpenLink? {
    guard let link = links.removeValue(forKey: number) else { return nil }
    if new.remove(number) == nil { gone.append(link) }
    bySource[link.source]?.remove(number)
    if bySource[link.source]?.isEmpty == true { bySource[link.source] = nil }
    byTarget[link.target]?.remove(number)
    if byTarget[link.target]?.isEmpty == true { byTarget[link.target] = nil }
    return link
  }
}
