/// A type kept as another one, by a two-way conversion.
public protocol ConvertedAttributeValue: AttributeValue {
  /// The type it is kept as.
  associatedtype Stored: AttributeValue

  /// The value that a stored one stands for.
  /// - Throws: any error where it stands for none; the message goes into the ``DAOError``.
  init(stored: Stored) throws

  /// The form that is kept.
  var stored: Stored { get throws }
}

extension ConvertedAttributeValue {
  /// The stored type's.
  public static var attributeType: AttributeType { Stored.attributeType }

  /// Converts from the stored form.
  public init(scalar: Scalar) throws {
    let stored = try Stored(scalar: scalar)
    do { self = try Self(stored: stored) } catch let problem as ValueProblem { throw problem } catch {
      throw ValueProblem("can't be \(Self.self) from \(scalar): \(error)")
    }
  }

  /// Converts to the stored form.
  public var scalar: Scalar {
    get throws {
      do { return try stored.scalar } catch let problem as ValueProblem { throw problem } catch {
        throw ValueProblem("can't be stored: \(error)")
      }
    }
  }
}
