extension String {
  /// The entity's name from its type's: the capitals in front lowered, but for the one that starts the next word.
  ///
  /// `Zone` → `zone`, `ZoneCountry` → `zoneCountry`, `URLEntry` → `urlEntry`, `URL` → `url`.
  var asEntityName: String {
    let capitals = prefix { $0.isUppercase }
    let rest = dropFirst(capitals.count)
    let startsWord = capitals.count > 1 && rest.first?.isLowercase == true
    let lowered = startsWord ? capitals.dropLast() : capitals
    return lowered.lowercased() + dropFirst(lowered.count)
  }
}
