import DAOKit

extension CriteriaMaker {
  /// Criteria of a list, and the term of its sections. Half of them can be followed in memory.
  package mutating func list(of entity: EntityDescription) -> (Criteria, section: Criteria.Term?) {
    let isPlain = random.once(in: 2)
    func term(_ maker: inout CriteriaMaker) -> Criteria.Term {
      (isPlain ? maker.field(of: entity) : maker.rowTerm(of: entity, hops: 0)).term
    }
    var criteria = isPlain ? Criteria() : entities(of: entity)
    if isPlain, !random.once(in: 3) {
      let field = field(of: entity)
      criteria.filter = leaf(field, beside: { maker, type in Typed(.value(maker.literal(type)), type) })
    }
    if criteria.orders.isEmpty { criteria.orders = (0...random.below(2)).map { _ in order(term(&self)) } }
    let section = random.once(in: 3) ? nil : random.once(in: 2) ? criteria.orders[0].term : term(&self)
    return (criteria, section)
  }
}
