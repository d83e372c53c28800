import DAOCriteria
import DAOKit

extension CriteriaMaker {
  /// A function of texts, numbers or dates of the entity, and of what else is made of it: any that there is.
  mutating func function(of subject: FunctionForm.Subject, _ entity: EntityDescription, hops: Int, depth: Int) -> Typed {
    let function = random.pick(Function.allCases.filter { $0.form.subject == subject })
    let form = function.form
    var terms: [Typed] = []
    for _ in 0..<(form.isList ? 1 + random.below(3) : 1) {
      guard let term = argument(of: subject, entity, hops: hops, depth: depth, function) else {
        return self.function(of: .text, entity, hops: hops, depth: depth)
      }
      terms.append(term)
    }
    var options = form.options
    // What may be left out is at the end, and not behind a list.
    while !form.isList, let last = options.last, !last.isRequired, random.once(in: 2) { options.removeLast() }
    let type = form.result ?? (function == .round && terms[0].type == .any ? .real : terms[0].type)
    return Typed(.function(function, terms.map(\.term) + options.map { .value(value(of: $0)) }), type)
  }

  private mutating func argument(
    of subject: FunctionForm.Subject, _ entity: EntityDescription, hops: Int, depth: Int, _ function: Function
  ) -> Typed? {
    switch subject {
    case .number: return number(of: entity).flatMap { function == .abs && $0.type == .decimal(.text) ? nil : $0 }
    case .date: return attribute(of: entity) { if case .date = $0 { true } else { false } }
    case .text, .json, .oneType: break
    }
    if random.once(in: 3) {
      let other = rowTerm(of: entity, hops: hops, depth: depth + 1)
      // Which spelling the least or greatest text has is open where a collation sees no difference.
      if other.type.isTextual, !other.type.isCollated { return other }
    }
    return attribute(of: entity, \.isTextual) ?? Typed(.value(random.once(in: 4) ? .null : literal(.text)), .text)
  }

  private mutating func attribute(of entity: EntityDescription, _ isWanted: (AttributeType) -> Bool) -> Typed? {
    let attributes = entity.attributes.filter { isWanted($0.type) }
    return attributes.isEmpty ? nil : random.pick(attributes).typed
  }

  private mutating func value(of option: FunctionOption) -> Scalar {
    guard let range = option.range else { return random.once(in: 3) ? .text("") : literal(.text) }
    if random.once(in: 8) { return .integer(random.pick([range.lowerBound, range.upperBound])) }
    return .integer(min(range.upperBound, max(range.lowerBound, Int64(random.below(random.once(in: 4) ? 40_000 : 5)))))
  }
}
