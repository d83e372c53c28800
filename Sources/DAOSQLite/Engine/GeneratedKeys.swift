/// The start of the keys that a connection generates.
enum GeneratedKeys {
  /// At ``SeedStamp/firstUserKey`` in a store into which newer seeds are merged, else after those that are there.
  case ofStore
  /// At a number, where those that are there are lower.
  case from(Int64)
  /// After those that are there.
  case following
}
