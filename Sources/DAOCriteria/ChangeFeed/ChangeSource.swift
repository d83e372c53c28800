/// A store whose commits can be followed.
package protocol ChangeSource {
  /// The store's feed; nil for that of a session.
  var changeFeed: ChangeFeed? { get }
}
