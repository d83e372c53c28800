/// The links of an import that are open, by the rows that they wait for and those that wait.
struct OpenLinks {
  private var links: [Int: OpenLink] = [:]
  private var bySource: [OpenLink.Source: [Int]] = [:]
  private var byTarget: [OpenLink.Target: [Int]] = [:]
  private var next = 0

  var isEmpty: Bool { links.isEmpty }

  /// All of them, in the order of their records.
  var all: [OpenLink] { links.sorted { $0.key < $1.key }.map(\.value) }

  /// The number of the first record that has one; nil where there is none.
  var firstRecord: Int? { links.values.map(\.origin.number).min() }

  mutating func add(_ link: OpenLink) {
    links[next] = link
    bySource[link.source, default: []].append(next)
    byTarget[link.target, default: []].append(next)
    next += 1
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
    bySource[link.source]?.removeAll { $0 == number }
    if bySource[link.source]?.isEmpty == true { bySource[link.source] = nil }
    byTarget[link.target]?.removeAll { $0 == number }
    if byTarget[link.target]?.isEmpty == true { byTarget[link.target] = nil }
    return link
  }
}
