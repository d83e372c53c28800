import DAOCriteria

/// How much SQLite has to take in to compile a view.
///
/// Each use of another view, or of a name that a `WITH` gives, is compiled by itself. Fourteen views that each use the one before twice
/// come to 16,384 uses and take a minute, and some hundred that each use the one before once overflow a thread's stack. The views are
/// written by the maker of the file; they are therefore counted before SQLite is queried about one.
package struct ViewExpansion {
  /// More uses than this take SQLite a second or longer.
  package static let mostUses = 2_000
  /// SQLite needs about 1 kB of stack for a view within a view.
  package static let deepest = 100

  /// The uses in a text, itself among them, and how deep they go.
  private struct Size {
    var uses = 1
    var depth = 1

    mutating func add(_ used: Size) {
      uses = min(uses + used.uses, ViewExpansion.mostUses + 1)
      depth = max(depth, used.depth + 1)
    }
  }

  private struct TooDeep: Error {}

  /// The tokens of a text, and where the parentheses end that begin there.
  private struct Text {
    let tokens: [SQLTokens.Token]
    let ends: [Int: Int]

    init(_ sql: String) {
      tokens = SQLTokens.of(sql)
      var (open, ends): ([Int], [Int: Int]) = ([], [:])
      for (place, token) in tokens.enumerated() {
        if token.isSign("(") { open.append(place) }
        if token.isSign(")"), let start = open.popLast() { ends[start] = place }
      }
      self.ends = ends
    }
  }

  private let views: [SchemaName: Text]
  private var sizes: [SchemaName: Size] = [:]
  private var tooDeep: Set<SchemaName> = []
  // Those that are being counted: SQLite refuses a view that uses itself.
  private var open: Set<SchemaName> = []

  /// - Parameter views: all of a schema, each with its `CREATE VIEW`.
  package init(_ views: some Sequence<(name: String, sql: String)>) {
    self.views = Dictionary(views.map { (SchemaName($0.name), Text($0.sql)) }) { first, _ in first }
  }

  /// Why a view is not to be compiled; nil where it may be.
  package mutating func problem(of view: String) -> String? {
    let name = SchemaName(view)
    return problem { expansion in
      do { return try expansion.size(of: name, at: 1) } catch {
        expansion.tooDeep.insert(name)
        throw error
      }
    }
  }

  /// Why a statement that uses views, such as a trigger, is not to be compiled; nil where it may be.
  package mutating func problem(ofStatement sql: String) -> String? {
    let text = Text(sql)
    return problem { try $0.size(of: text, text.tokens.indices, with: [:], at: 1) }
  }

  private mutating func problem(_ size: (inout Self) throws -> Size) -> String? {
    open = []
    let found = try? size(&self)
    guard let found, found.depth <= Self.deepest else { return "it is made of views within views, more than \(Self.deepest) deep" }
    return found.uses <= Self.mostUses ? nil : "it comes to more than \(Self.mostUses) uses of views within views"
  }

  private mutating func size(of view: SchemaName, at depth: Int) throws -> Size {
    if let known = sizes[view] { return known }
    guard depth <= Self.deepest, !tooDeep.contains(view) else { throw TooDeep() }
    guard let text = views[view], open.insert(view).inserted else { return Size() }
    // The view's own name stands before its first word AS.
    let body = text.tokens.firstIndex { $0.isWord("AS") } ?? 0
    let size = try size(of: text, body..<text.tokens.count, with: [:], at: depth)
    open.remove(view)
    sizes[view] = size
    return size
  }

  /// - Parameter given: what the names come to that a `WITH` around the text gives.
  private mutating func size(of text: Text, _ part: Range<Int>, with given: [SchemaName: Size], at depth: Int) throws -> Size {
    guard depth <= Self.deepest else { throw TooDeep() }
    var (size, given) = (Size(), given)
    var place = part.lowerBound
    while place < part.upperBound {
      let name = SchemaName(text.tokens[place].name)
      if let body = Self.body(in: text, at: place) {
        let own = try self.size(of: text, body, with: given, at: depth + 1)
        // The name may be given again elsewhere in the text.
        given[name] = given[name].map { Size(uses: max($0.uses, own.uses), depth: max($0.depth, own.depth)) } ?? own
        place = body.upperBound
        continue
      }
      let used = given[name]
      if let used { size.add(used) }
      if views[name] != nil {
        let view = try self.size(of: name, at: depth + 1)
        if used.map({ view.uses > $0.uses || view.depth > $0.depth }) ?? true { size.add(view) }
      }
      place += 1
    }
    return size
  }

  /// Returns the contents of the parenthesis of `name (columns) AS NOT MATERIALIZED (…)` that begins at a position.
  private static func body(in text: Text, at start: Int) -> Range<Int>? {
    guard !text.tokens[start].isSign else { return nil }
    var place = start + 1
    func isWord(_ word: String) -> Bool { text.tokens.indices.contains(place) && text.tokens[place].isWord(word) }
    if let columns = text.ends[place] { place = columns + 1 }
    guard isWord("AS") else { return nil }
    place += 1
    if isWord("NOT") { place += 1 }
    if isWord("MATERIALIZED") { place += 1 }
    return text.ends[place].map { place + 1..<$0 }
  }
}

extension SQLTokens.Token {
  fileprivate var isSign: Bool { kind == .sign }
}
