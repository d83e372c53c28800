import GRDB

/// A row of `zone` as the tests read it.
struct StoredZone: Equatable, Decodable, FetchableRecord {
  var id: Int
  var name: String
  var latitude: Double
  var longitude: Double
  var comment: String?
  var standardOffset: Int
}

/// A row of `transition` as the tests read it.
struct StoredChange: Equatable, Decodable, FetchableRecord {
  var instant: Int64
  var offsetBefore: Int
  var offsetAfter: Int
  var abbreviation: String
  var isDaylight: Bool
}
