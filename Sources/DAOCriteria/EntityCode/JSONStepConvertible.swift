/// A step of a path into JSON: a text for a key, an integer for an index.
@_documentation(visibility: internal)
public protocol JSONStepConvertible: Sendable {
  /// The step.
  var jsonStep: JSONStep { get }
}
