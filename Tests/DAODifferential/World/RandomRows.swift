import DAOKit
import TestCases

/// Makes rows: in every other table few different values, so that much is equal; texts of few words where they are searched; foreign keys
/// that lead to rows before.
enum RandomRows {
  /// - Parameter counts: how many rows a table may have.
  static func make(_ schema: Schema, _ random: inout RandomSource, counts: [Int] = [0, 1, 4, 7, 10, 14]) -> [[[Scalar]]] {
    var rows: [[[Scalar]]] = []
    let words = Array(Values.words.shuffled(using: &random).prefix(8))
    for (place, table) in schema.tables.enumerated() {
      rows.append([])
      let isNarrow = random.once(in: 2)
      let pools = table.attributes.map { attribute in
        let all = pool(of: attribute, words: words, &random)
        return isNarrow && !table.key.attributes.contains(attribute.name) ? Array(all.shuffled(using: &random).prefix(3)) : all
      }
      let nullsOnceIn = random.pick([2, 3, 6])
      for number in 0..<random.pick(counts) {
        var row = zip(table.attributes, pools).map { attribute, pool in
          attribute.isOptional && random.once(in: nullsOnceIn) ? .null : random.pick(pool)
        }
        if case .generated = table.key { row[0] = .integer(Int64(number * 2 + 1)) }
        for link in table.links {
          guard let by = link.foreignKey else { continue }
          let target = schema.tables[link.target]
          let there = target.key.attributes.compactMap { target.place(of: $0) }
          let here = by.compactMap { table.place(of: $0) }
          let isOptional = here.contains { table.attributes[$0].isOptional }
          if isOptional, random.once(in: 4) || rows[link.target].isEmpty {
            // Of a key of several attributes one may be there.
            for (number, column) in here.enumerated() where number == 0 || random.once(in: 2) { row[column] = .null }
          } else if let found = rows[link.target].randomElement(using: &random) {
            for (here, there) in zip(here, there) { row[here] = found[there] }
          }
        }
        rows[place].append(row)
      }
    }
    return rows
  }

  private static func pool(of attribute: Attribute, words: [String], _ random: inout RandomSource) -> [Scalar] {
    if attribute.isSearchable { return (0..<12).map { _ in .text(Values.sentence(of: words, &random)) } }
    let values = Values.of(attribute.type, isSmall: attribute.isSmall)
    return attribute.type.kind == .text && attribute.type.encodedText == nil
      ? values + (0..<12).map { _ in .text(Values.cased(&random)) } : values
  }
}

extension Schema.Table {
  func place(of attribute: String) -> Int? { attributes.firstIndex { $0.name == attribute } }
}
