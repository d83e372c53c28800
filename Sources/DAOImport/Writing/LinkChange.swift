/// What a record says of links, in the order of the records.
enum LinkChange {
  case open(OpenLink)
  /// The relationship of a row is as a record has it.
  case settled(OpenLink.Source)
}
