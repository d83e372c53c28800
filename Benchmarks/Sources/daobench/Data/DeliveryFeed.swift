import Foundation

/// Deliveries with their depots and items, as a feed has them, and as rows.
struct DeliveryFeed {
  struct Sample {
    let id: Int64
    var weight: Double
    let recipient: String
    let note: String?
    let sent: Int
    let depot: Int
    let items: [(id: Int64, article: String, pieces: Int)]

    /// A number that identifies it beside its key.
    var number: Int64 { 1_000_000 + id * 7 }
  }

  static let depots = (0..<500).map { (code: "D\(1000 + $0)", city: "city \($0)") }

  let samples: [Sample]

  /// - Parameter changed: whether every hundredth has another weight.
  init(_ count: Int, changed: Bool = false) {
    var random = Random(7)
    samples = (1...count).map { id in
      let items = (0..<2).map { item in (Int64(id * 2 + item), "article \(random.below(5_000))", 1 + random.below(20)) }
      let weight = Double(random.below(1_000_000)) / 64
      return Sample(
        id: Int64(id), weight: changed && id % 100 == 0 ? weight + 1 : weight, recipient: "recipient \(random.below(100_000))",
        note: id % 3 == 0 ? "leave it at the door, not in the \"garden\"" : nil, sent: random.milliseconds(), depot: random.below(500),
        items: items)
    }
  }

  /// A list of records.
  var json: Data {
    var json = Data("[\n".utf8)
    for (index, sample) in samples.enumerated() { json += Data(((index > 0 ? ",\n" : "") + Self.record(sample)).utf8) }
    return json + Data("\n]\n".utf8)
  }

  static func record(_ sample: Sample) -> String {
    let (code, city) = depots[sample.depot]
    let items = sample.items.map { #"{"id": \#($0.id), "article": "\#($0.article)", "pieces": \#($0.pieces)}"# }
    let note = sample.note.map { #""\#($0.replacing("\"", with: "\\\""))""# } ?? "null"
    return #"""
      {"id": \#(sample.id), "number": \#(sample.number), "recipient": "\#(sample.recipient)", "note": \#(note), \#
      "weight": \#(sample.weight), \#
      "sent": \#(sample.sent), "depot": {"code": "\#(code)", "city": "\#(city)"}, "items": [\#(items.joined(separator: ", "))]}
      """#
  }

  /// The deliveries alone, in CSV.
  var csv: Data {
    var csv = Data("id,number,recipient,note,weight,sent,depot\n".utf8)
    for sample in samples {
      let note = sample.note.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" } ?? ""
      csv += Data(
        "\(sample.id),\(sample.number),\(sample.recipient),\(note),\(sample.weight),\(sample.sent),\(Self.depots[sample.depot].code)\n".utf8
      )
    }
    return csv
  }

  /// A hash of the rows that it becomes.
  func digest(withItems: Bool = true) -> Int {
    var hasher = Hasher()
    for sample in samples {
      hasher.combine(sample.id)
      hasher.combine(sample.number)
      hasher.combine(sample.recipient)
      hasher.combine(sample.note)
      hasher.combine(sample.weight)
      hasher.combine(Int64(sample.sent))
      hasher.combine(Self.depots[sample.depot].code)
    }
    if withItems {
      for sample in samples {
        for item in sample.items {
          hasher.combine(item.id)
          hasher.combine(sample.id)
          hasher.combine(item.article)
          hasher.combine(Int64(item.pieces))
        }
      }
      for depot in Self.depots {
        hasher.combine(depot.code)
        hasher.combine(depot.city)
      }
    }
    return hasher.finalize()
  }
}

extension CDatabase {
  /// A hash of the deliveries that are stored.
  func digestOfDeliveries(withItems: Bool = true) throws -> Int {
    var hasher = Hasher()
    let deliveries = try CStatement(self, "SELECT id, number, recipient, note, weight, sent, depot FROM delivery ORDER BY id")
    while try deliveries.step() {
      hasher.combine(deliveries.integer(0))
      hasher.combine(deliveries.integer(1))
      hasher.combine(deliveries.text(2))
      hasher.combine(deliveries.optionalText(3))
      hasher.combine(deliveries.real(4))
      hasher.combine(deliveries.integer(5))
      hasher.combine(deliveries.text(6))
    }
    guard withItems else { return hasher.finalize() }
    let items = try CStatement(self, "SELECT id, delivery, article, pieces FROM item ORDER BY id")
    while try items.step() {
      hasher.combine(items.integer(0))
      hasher.combine(items.integer(1))
      hasher.combine(items.text(2))
      hasher.combine(items.integer(3))
    }
    let depots = try CStatement(self, "SELECT code, city FROM depot ORDER BY code")
    while try depots.step() {
      hasher.combine(depots.text(0))
      hasher.combine(depots.text(1))
    }
    return hasher.finalize()
  }
}
