// The same comparisons by name, for attributes by key path, by name and for functions of them.

extension Filter {
  /// The attribute is equal to the value: `"x" = ?` (`IS NULL` for nil).
  @inlinable public static func equal<V>(_ path: FieldKeyPath<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(Root.term(path), .equal, Criteria.Term(value)))
  }

  /// The attribute is equal to the other.
  @inlinable public static func equal<V, W>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .equal, Root.term(other)))
  }

  /// The function or named attribute is equal to the value.
  @inlinable public static func equal<V>(_ operand: Operand<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(operand.term, .equal, Criteria.Term(value)))
  }

  /// The attribute is equal to the function or aggregate.
  @inlinable public static func equal<V, W>(_ path: FieldKeyPath<Root, V>, _ other: Operand<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .equal, other.term))
  }

  /// The function or aggregate is equal to the attribute.
  @inlinable public static func equal<V, W>(_ operand: Operand<Root, V>, _ path: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(operand.term, .equal, Root.term(path)))
  }

  /// The function or named attribute is equal to the other.
  @inlinable public static func equal<V, W>(_ operand: Operand<Root, V>, _ other: Operand<Root, W>) -> Filter {
    Filter(.compare(operand.term, .equal, other.term))
  }

  /// The attribute is not equal to the value: `"x" IS NOT ?`.
  @inlinable public static func notEqual<V>(_ path: FieldKeyPath<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(Root.term(path), .notEqual, Criteria.Term(value)))
  }

  /// The attribute is not equal to the other.
  @inlinable public static func notEqual<V, W>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .notEqual, Root.term(other)))
  }

  /// The function or named attribute is not equal to the value.
  @inlinable public static func notEqual<V>(_ operand: Operand<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(operand.term, .notEqual, Criteria.Term(value)))
  }

  /// The attribute is not equal to the function or aggregate.
  @inlinable public static func notEqual<V, W>(_ path: FieldKeyPath<Root, V>, _ other: Operand<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .notEqual, other.term))
  }

  /// The function or aggregate is not equal to the attribute.
  @inlinable public static func notEqual<V, W>(_ operand: Operand<Root, V>, _ path: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(operand.term, .notEqual, Root.term(path)))
  }

  /// The function or named attribute is not equal to the other.
  @inlinable public static func notEqual<V, W>(_ operand: Operand<Root, V>, _ other: Operand<Root, W>) -> Filter {
    Filter(.compare(operand.term, .notEqual, other.term))
  }

  /// The attribute is smaller than the value: `"x" < ?`. nil is an error.
  @inlinable public static func less<V>(_ path: FieldKeyPath<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(Root.term(path), .less, Criteria.Term(value)))
  }

  /// The attribute is smaller than the other.
  @inlinable public static func less<V, W>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .less, Root.term(other)))
  }

  /// The function or named attribute is smaller than the value. nil is an error.
  @inlinable public static func less<V>(_ operand: Operand<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(operand.term, .less, Criteria.Term(value)))
  }

  /// The attribute is smaller than the function or aggregate.
  @inlinable public static func less<V, W>(_ path: FieldKeyPath<Root, V>, _ other: Operand<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .less, other.term))
  }

  /// The function or aggregate is smaller than the attribute.
  @inlinable public static func less<V, W>(_ operand: Operand<Root, V>, _ path: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(operand.term, .less, Root.term(path)))
  }

  /// The function or named attribute is smaller than the other.
  @inlinable public static func less<V, W>(_ operand: Operand<Root, V>, _ other: Operand<Root, W>) -> Filter {
    Filter(.compare(operand.term, .less, other.term))
  }

  /// The attribute is at most the value: `"x" <= ?`. nil is an error.
  @inlinable public static func lessOrEqual<V>(_ path: FieldKeyPath<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(Root.term(path), .lessOrEqual, Criteria.Term(value)))
  }

  /// The attribute is at most the other.
  @inlinable public static func lessOrEqual<V, W>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .lessOrEqual, Root.term(other)))
  }

  /// The function or named attribute is at most the value. nil is an error.
  @inlinable public static func lessOrEqual<V>(_ operand: Operand<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(operand.term, .lessOrEqual, Criteria.Term(value)))
  }

  /// The attribute is at most the function or aggregate.
  @inlinable public static func lessOrEqual<V, W>(_ path: FieldKeyPath<Root, V>, _ other: Operand<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .lessOrEqual, other.term))
  }

  /// The function or aggregate is at most the attribute.
  @inlinable public static func lessOrEqual<V, W>(_ operand: Operand<Root, V>, _ path: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(operand.term, .lessOrEqual, Root.term(path)))
  }

  /// The function or named attribute is at most the other.
  @inlinable public static func lessOrEqual<V, W>(_ operand: Operand<Root, V>, _ other: Operand<Root, W>) -> Filter {
    Filter(.compare(operand.term, .lessOrEqual, other.term))
  }

  /// The attribute is greater than the value: `"x" > ?`. nil is an error.
  @inlinable public static func greater<V>(_ path: FieldKeyPath<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(Root.term(path), .greater, Criteria.Term(value)))
  }

  /// The attribute is greater than the other.
  @inlinable public static func greater<V, W>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .greater, Root.term(other)))
  }

  /// The function or named attribute is greater than the value. nil is an error.
  @inlinable public static func greater<V>(_ operand: Operand<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(operand.term, .greater, Criteria.Term(value)))
  }

  /// The attribute is greater than the function or aggregate.
  @inlinable public static func greater<V, W>(_ path: FieldKeyPath<Root, V>, _ other: Operand<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .greater, other.term))
  }

  /// The function or aggregate is greater than the attribute.
  @inlinable public static func greater<V, W>(_ operand: Operand<Root, V>, _ path: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(operand.term, .greater, Root.term(path)))
  }

  /// The function or named attribute is greater than the other.
  @inlinable public static func greater<V, W>(_ operand: Operand<Root, V>, _ other: Operand<Root, W>) -> Filter {
    Filter(.compare(operand.term, .greater, other.term))
  }

  /// The attribute is at least the value: `"x" >= ?`. nil is an error.
  @inlinable public static func greaterOrEqual<V>(_ path: FieldKeyPath<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(Root.term(path), .greaterOrEqual, Criteria.Term(value)))
  }

  /// The attribute is at least the other.
  @inlinable public static func greaterOrEqual<V, W>(_ path: FieldKeyPath<Root, V>, _ other: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .greaterOrEqual, Root.term(other)))
  }

  /// The function or named attribute is at least the value. nil is an error.
  @inlinable public static func greaterOrEqual<V>(_ operand: Operand<Root, V>, _ value: V.Unwrapped?) -> Filter {
    Filter(.compare(operand.term, .greaterOrEqual, Criteria.Term(value)))
  }

  /// The attribute is at least the function or aggregate.
  @inlinable public static func greaterOrEqual<V, W>(_ path: FieldKeyPath<Root, V>, _ other: Operand<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(Root.term(path), .greaterOrEqual, other.term))
  }

  /// The function or aggregate is at least the attribute.
  @inlinable public static func greaterOrEqual<V, W>(_ operand: Operand<Root, V>, _ path: FieldKeyPath<Root, W>) -> Filter
  where V.Unwrapped.Compared == W.Unwrapped.Compared {
    Filter(.compare(operand.term, .greaterOrEqual, Root.term(path)))
  }

  /// The function or named attribute is at least the other.
  @inlinable public static func greaterOrEqual<V, W>(_ operand: Operand<Root, V>, _ other: Operand<Root, W>) -> Filter {
    Filter(.compare(operand.term, .greaterOrEqual, other.term))
  }
}
