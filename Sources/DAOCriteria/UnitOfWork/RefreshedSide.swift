/// Which side of an edited row stays when a unit of work is refreshed.
public enum RefreshedSide: Sendable, Hashable {
  /// The attributes that the unit has changed stay as they are in the unit; the others become those of the store.
  case mine
  /// The row becomes that of the store, and the unit's edit of it goes.
  case theirs
}
