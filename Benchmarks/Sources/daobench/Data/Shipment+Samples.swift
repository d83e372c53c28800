import Foundation

extension Shipment {
  /// Shipments with keys from 1 on, the same in each run.
  static func samples(_ count: Int) -> [Shipment] {
    var random = Random(14)
    func date() -> Date { Date(timeIntervalSince1970: Double(random.milliseconds()) / 1000) }
    func text(_ text: String, missingIn every: Int, _ id: Int) -> String? { id.isMultiple(of: every) ? nil : text }
    let carriers = ["Rail", "Road and sea, insured", "Air"]
    var samples: [Shipment] = []
    for id in 1...count {
      let weight = Double(random.below(100_000)) / 8
      let freight = Double(random.below(10_000)) / 4
      samples.append(
        Shipment(
          id: Int64(id), customer: "Customer number \(random.below(5000))", employee: text("E\(random.below(90))", missingIn: 4, id),
          carrier: carriers[id % 3], street: text("\(random.below(200)) Long Street", missingIn: 7, id), city: "City \(random.below(400))",
          region: text("Region \(random.below(20))", missingIn: 2, id), country: "Country \(random.below(80))", ordered: date(),
          required: id % 6 == 0 ? nil : date(), shipped: id % 10 == 0 ? nil : date(), weight: weight,
          freight: id % 9 == 0 ? nil : freight, parcels: random.below(40)))
    }
    return samples
  }

  func feed(_ hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine([customer, carrier, city, country])
    hasher.combine([employee, street, region])
    hasher.combine([ordered, required, shipped])
    hasher.combine([weight, freight])
    hasher.combine(parcels)
  }
}

/// One hash of many shipments.
func digest(_ shipments: some Sequence<Shipment>) -> Int {
  var hasher = Hasher()
  for shipment in shipments { shipment.feed(&hasher) }
  return hasher.finalize()
}
