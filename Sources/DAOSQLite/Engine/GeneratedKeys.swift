/// The start of the keys that a connection generates.
enum GeneratedKeys {
  /// At ``SeedStamp/firstUserKey`` in a store into which newer seeds are merged, else after the existing keys.
  case ofStore
  /// At a number, if the existing keys are lower.
  case from(Int64)
  /// After the existing keys.
  case following
}
