import DAOKit
import Foundation

extension CriteriaMaker {
  /// A search of an entity's texts, or of those that relationships lead to; nil where none of them is searchable.
  mutating func search(of entity: EntityDescription, hops: Int) -> Criteria.Search? {
    if random.once(in: 4), let (path, target) = path(from: entity, hops: hops, toOne: true),
      let attribute = target.searchableAttributes.randomElement(using: &random)
    {
      return Criteria.Search(path.appending(attribute.name), query())
    }
    return ownSearch(of: entity)
  }

  /// A search of an entity's own texts.
  mutating func ownSearch(of entity: EntityDescription) -> Criteria.Search? {
    guard let attribute = entity.searchableAttributes.randomElement(using: &random) else { return nil }
    return Criteria.Search(random.once(in: 2) ? .root : .root.appending(attribute.name), query())
  }

  /// A text with the words of a search between marks.
  mutating func highlight(of entity: EntityDescription) -> Typed? {
    guard let search = ownSearch(of: entity), let shown = entity.searchableAttributes.randomElement(using: &random) else { return nil }
    let path = FieldPath.root.appending(shown.name)
    return Typed(.search(.highlight(path, start: Values.mark, end: random.pick(["⟧", ""])), search), .text)
  }

  /// A search and nothing else to decide: which rows it finds, what it marks in them, and that those that fit come first.
  mutating func searching() -> (EntityDescription, Criteria, Question)? {
    guard let entity = entities.filter({ !$0.searchableAttributes.isEmpty }).randomElement(using: &random),
      let search = search(of: entity, hops: 0)
    else { return nil }
    var criteria = Criteria()
    switch random.below(4) {
    case 0:
      guard let marked = highlight(of: entity) else { return nil }
      criteria.columns = [Criteria.Column(marked.term, name: "0")]
      return (entity, criteria, .report)
    case 1:
      guard let ranked = ownSearch(of: entity) else { return nil }
      criteria.orders = [Criteria.Ordering(.search(.relevance, ranked), nulls: .last)]
      if random.once(in: 3) { criteria.filter = .search(search) }
      return (entity, criteria, .ranked)
    default:
      criteria.filter = random.once(in: 4) ? .not(.search(search)) : .search(search)
      return (entity, criteria, .keys)
    }
  }

  /// Some words of a text that is there, in another case, spelling or order now and then, with others, or without their end.
  private mutating func query() -> FullTextQuery {
    var words = sentences.randomElement(using: &random)?.split(separator: " ").map(String.init) ?? []
    if words.count > 1 { words = Array(words[random.below(words.count)...].prefix(1 + random.below(3))) }
    if words.isEmpty || random.once(in: 3) { words.append(random.pick(Values.words)) }
    if random.once(in: 3) { words.shuffle(using: &random) }
    var text = words.joined(separator: random.pick([" ", " ", " ", "-", "\u{301} "]))
    let isPrefix = random.once(in: 3)
    switch random.below(isPrefix ? 4 : 8) {
    case 0: text.unicodeScalars.removeLast()
    case 1: text = text.uppercased()
    case 2: text = text.decomposedStringWithCanonicalMapping
    default: break
    }
    return FullTextQuery(text, random.pick(FullTextQuery.Kind.allCases), prefix: isPrefix)
  }
}
