/// What stands for a step of a path into JSON: a text for a key, an integer for a place.
@_documentation(visibility: internal)
public protocol JSONStepConvertible: Sendable {
  /// The step.
  var jsonStep: JSONStep { get }
}
