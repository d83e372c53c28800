import DAOCriteria
import DAOSQL
import DAOSchema

/// The forms of a column while its values are counted for and against each, and the decision.
struct ColumnForms {
  private let facts: ColumnFacts
  private let proposals: [FormProposal]
  /// The plain reading: the declared type or, where that says nothing, the storage class of the values.
  private let plain: AttributeType
  private var counts: [Count]
  // Values that the column's CHECK does not allow.
  private var outsiders = 0

  private struct Count {
    var matching = 0
    var others = 0
    // Those of the others that can't be read as the type at all.
    var unreadable = 0
    var example: String?

    mutating func note(_ value: StoredValue, as type: AttributeType) {
      if type.isForm(of: value) {
        matching += 1
      } else {
        others += 1
        if (try? type.scalar(value)) == nil { unreadable += 1 }
        if example == nil { example = value.shown }
      }
    }
  }

  /// - Parameter isView: whether the column is only read.
  init(_ facts: ColumnFacts, isView: Bool) {
    self.facts = facts
    let declared = facts.column.declaredType
    func fits(_ type: AttributeType) -> Bool { isView ? type.isRead(fromDeclared: declared) : type.fits(declared: declared) }
    plain = facts.plain(fits)
    // What is compared by a collation is text of that collation.
    let isCollated = facts.column.collation != "BINARY"
    var types: Set<AttributeType> = [plain]
    proposals = facts.proposals().filter {
      fits($0.type) && !(isCollated && !$0.type.compares(by: facts.column.collation)) && types.insert($0.type).inserted
    }
    counts = Array(repeating: Count(), count: proposals.count + 1)
  }

  mutating func note(_ value: StoredValue) {
    if value.isNull { return }
    if facts.rule?.allows(value) == false { outsiders += 1 }
    for (place, proposal) in proposals.enumerated() { counts[place].note(value, as: proposal.type) }
    counts[proposals.count].note(value, as: plain)
  }

  // MARK: The decision

  /// The column as it was found.
  func column() -> StoreInspection.Column {
    let plainCount = counts[proposals.count]
    let (type, certainty, why) = decision(plainCount)
    let reason = why + (outsiders > 0 ? "; against its CHECK: \(outsiders)" : "")
    var forms = zip(proposals, counts).map { proposal, count in
      StoreInspection.Form(
        type: proposal.type, matching: count.matching, others: count.others, example: count.example, reason: proposal.reason)
    }
    forms.append(
      StoreInspection.Form(type: plain, matching: plainCount.matching, others: plainCount.others, example: plainCount.example, reason: nil))
    if let chosen = forms.firstIndex(where: { $0.type == type }) { forms.insert(forms.remove(at: chosen), at: 0) }
    return StoreInspection.Column(
      name: facts.column.name, declaredType: facts.column.declaredType, type: type, certainty: certainty, reason: reason, forms: forms,
      values: facts.evidence.values, nulls: facts.evidence.nulls, rule: outsiders > 0 ? nil : facts.rule)
  }

  private func decision(_ plainCount: Count) -> (AttributeType, StoreInspection.Certainty, String) {
    let values = facts.evidence.values
    let all = values == 1 ? "its one value" : "all \(values) values"
    let areFew = values < StoreInspection.fewValues
    let counted = Array(zip(proposals, counts))
    if facts.seen == nil { return (plain, .unsure, "its rows can't be read") }
    // The schema's word, which needs no values.
    func losesFew(_ count: Count) -> Bool { count.unreadable == 0 && count.others < count.matching }
    if let (said, count) = counted.first(where: { $0.0.ground == .declared && ($0.1.others == 0 || $0.0.isFirm && losesFew($0.1)) }) {
      if count.others == 0 { return (said.type, .sure, said.reason) }
      return (said.type, .likely, "\(said.reason), and \(count.others) of \(values) values lose digits by it")
    }
    guard values > 0 else {
      let isDeclared = plain != .any
      return (plain, isDeclared ? .sure : .unsure, isDeclared ? "it is declared so; it has no values" : "it has no values")
    }
    let whole = counted.filter { $0.1.others == 0 }
    let shown = whole.filter { $0.0.ground == .shown }
    if shown.count == 1 {
      return (shown[0].0.type, areFew ? .likely : .sure, "\(all): \(shown[0].0.reason)")
    }
    if shown.count > 1 { return (plain, .unsure, "\(all) can have several forms") }
    // Where some have the one form and some the other, no form is right.
    let parts = counted.filter {
      $0.0.ground.rawValue >= FormProposal.Ground.hinted.rawValue && $0.1.others > 0 && $0.1.matching * 10 >= values
    }
    if let hinted = whole.first(where: { $0.0.ground == .hinted }) {
      return (hinted.0.type, .likely, "\(all): \(hinted.0.reason)")
    }
    if !parts.isEmpty { return (plain, .unsure, "its values have more than one form") }
    if let (said, count) = counted.first(where: { $0.0.ground == .declared }) {
      return (plain, .unsure, "\(said.reason), and \(count.others) of \(values) values are none such")
    }
    if plainCount.others > 0 { return (plain, .unsure, "\(plainCount.others) of \(values) values are none") }
    if whole.contains(where: { $0.0.ground == .possible })
      || counted.contains(where: { $0.0.ground == .possible && $0.1.matching * 2 > values })
    {
      return (plain, .unsure, "its values could be meant in several ways")
    }
    if facts.isDeclaredDate {
      return (plain, .unsure, "it is declared \(facts.column.declaredType), and its values have no form of a date")
    }
    if plain == .any { return (plain, .unsure, "neither its declared type nor its values say what they are") }
    let isDeclared = facts.column.attributeType == plain
    return (plain, isDeclared || !areFew ? .sure : .likely, isDeclared ? "it is declared so" : "\(all) \(values == 1 ? "is" : "are") so")
  }
}

extension ColumnFacts {
  /// The plain reading of the column.
  /// - Parameter fits: whether a type fits the column.
  fileprivate func plain(_ fits: (AttributeType) -> Bool) -> AttributeType {
    if column.attributeType != .any { return column.attributeType }
    let (integers, reals, texts, blobs) = (evidence.integers, evidence.reals, evidence.texts, evidence.blobs)
    let type: AttributeType =
      switch (integers > 0, reals > 0, texts > 0, blobs > 0) {
      case (true, false, false, false): .integer
      case (_, true, false, false): .real
      case (false, false, true, false): .text
      case (false, false, false, true): .data
      default: .any
      }
    // In a column that leaves integers alone, a double would take the place of each that is written again.
    let keepsBoth = Affinity(declaredName: column.declaredType) == .blob && integers > 0 && reals > 0
    return fits(type) && !keepsBoth ? type : .any
  }
}
