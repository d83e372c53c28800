// Comparisons as operators. Equality takes nil, order does not: `\.price < nil` does not compile.
//
// Always inlined: where the compiler sees which key path is meant, it takes the field itself. Else it is walked at each call, which takes a
// hundredth of a page, through a table of types that all threads share.

// MARK: ==

/// The attribute is equal to the value: `"x" = ?` (`IS NULL` for nil).
@inlinable @inline(__always) public func == <Root, V>(left: FieldKeyPath<Root, V>, right: V.Unwrapped?) -> Filter<Root> {
  Filter(.compare(Root.term(left), .equal, Criteria.Term(right)))
}

/// The attribute is equal to the other.
@inlinable @inline(__always) public func == <Root, V, W>(left: FieldKeyPath<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .equal, Root.term(right)))
}

/// The attribute is equal to the function or aggregate.
@inlinable @inline(__always) public func == <Root, V, W>(left: FieldKeyPath<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .equal, right.term))
}

/// The function is equal to the value.
@inlinable @inline(__always) public func == <Root, V>(left: Operand<Root, V>, right: V.Unwrapped?) -> Filter<Root> {
  Filter(.compare(left.term, .equal, Criteria.Term(right)))
}

/// The field is equal to the value.
@inlinable @inline(__always) public func == <Root, V>(left: Field<V>, right: V.Unwrapped?) -> Filter<Root> {
  Filter(.compare(left.term, .equal, Criteria.Term(right)))
}

/// The field is equal to the other.
@inlinable @inline(__always) public func == <Root, V, W>(left: Field<V>, right: Field<W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .equal, right.term))
}

/// The function or aggregate is equal to the attribute.
@inlinable @inline(__always) public func == <Root, V, W>(left: Operand<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .equal, Root.term(right)))
}

/// The function or aggregate is equal to the other.
@inlinable @inline(__always) public func == <Root, V, W>(left: Operand<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .equal, right.term))
}

// MARK: !=

/// The attribute is not equal to the value: `"x" IS NOT ?`.
@inlinable @inline(__always) public func != <Root, V>(left: FieldKeyPath<Root, V>, right: V.Unwrapped?) -> Filter<Root> {
  Filter(.compare(Root.term(left), .notEqual, Criteria.Term(right)))
}

/// The attribute is not equal to the other.
@inlinable @inline(__always) public func != <Root, V, W>(left: FieldKeyPath<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .notEqual, Root.term(right)))
}

/// The attribute is not equal to the function or aggregate.
@inlinable @inline(__always) public func != <Root, V, W>(left: FieldKeyPath<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .notEqual, right.term))
}

/// The function is not equal to the value.
@inlinable @inline(__always) public func != <Root, V>(left: Operand<Root, V>, right: V.Unwrapped?) -> Filter<Root> {
  Filter(.compare(left.term, .notEqual, Criteria.Term(right)))
}

/// The field is not equal to the value.
@inlinable @inline(__always) public func != <Root, V>(left: Field<V>, right: V.Unwrapped?) -> Filter<Root> {
  Filter(.compare(left.term, .notEqual, Criteria.Term(right)))
}

/// The field is not equal to the other.
@inlinable @inline(__always) public func != <Root, V, W>(left: Field<V>, right: Field<W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .notEqual, right.term))
}

/// The function or aggregate is not equal to the attribute.
@inlinable @inline(__always) public func != <Root, V, W>(left: Operand<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .notEqual, Root.term(right)))
}

/// The function or aggregate is not equal to the other.
@inlinable @inline(__always) public func != <Root, V, W>(left: Operand<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .notEqual, right.term))
}

// MARK: <

/// The attribute is smaller than the value: `"x" < ?`.
@inlinable @inline(__always) public func < <Root, V>(left: FieldKeyPath<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(Root.term(left), .less, Criteria.Term(right)))
}

/// The attribute is smaller than the other.
@inlinable @inline(__always) public func < <Root, V, W>(left: FieldKeyPath<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .less, Root.term(right)))
}

/// The attribute is smaller than the function or aggregate.
@inlinable @inline(__always) public func < <Root, V, W>(left: FieldKeyPath<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .less, right.term))
}

/// The function is smaller than the value.
@inlinable @inline(__always) public func < <Root, V>(left: Operand<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .less, Criteria.Term(right)))
}

/// The field is smaller than the value.
@inlinable @inline(__always) public func < <Root, V>(left: Field<V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .less, Criteria.Term(right)))
}

/// The field is smaller than the other.
@inlinable @inline(__always) public func < <Root, V, W>(left: Field<V>, right: Field<W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .less, right.term))
}

/// The function or aggregate is smaller than the attribute.
@inlinable @inline(__always) public func < <Root, V, W>(left: Operand<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .less, Root.term(right)))
}

/// The function or aggregate is smaller than the other.
@inlinable @inline(__always) public func < <Root, V, W>(left: Operand<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .less, right.term))
}

// MARK: <=

/// The attribute is at most the value: `"x" <= ?`.
@inlinable @inline(__always) public func <= <Root, V>(left: FieldKeyPath<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(Root.term(left), .lessOrEqual, Criteria.Term(right)))
}

/// The attribute is at most the other.
@inlinable @inline(__always) public func <= <Root, V, W>(left: FieldKeyPath<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .lessOrEqual, Root.term(right)))
}

/// The attribute is at most the function or aggregate.
@inlinable @inline(__always) public func <= <Root, V, W>(left: FieldKeyPath<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .lessOrEqual, right.term))
}

/// The function is at most the value.
@inlinable @inline(__always) public func <= <Root, V>(left: Operand<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .lessOrEqual, Criteria.Term(right)))
}

/// The field is at most the value.
@inlinable @inline(__always) public func <= <Root, V>(left: Field<V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .lessOrEqual, Criteria.Term(right)))
}

/// The field is at most the other.
@inlinable @inline(__always) public func <= <Root, V, W>(left: Field<V>, right: Field<W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .lessOrEqual, right.term))
}

/// The function or aggregate is at most the attribute.
@inlinable @inline(__always) public func <= <Root, V, W>(left: Operand<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .lessOrEqual, Root.term(right)))
}

/// The function or aggregate is at most the other.
@inlinable @inline(__always) public func <= <Root, V, W>(left: Operand<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .lessOrEqual, right.term))
}

// MARK: >

/// The attribute is greater than the value: `"x" > ?`.
@inlinable @inline(__always) public func > <Root, V>(left: FieldKeyPath<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(Root.term(left), .greater, Criteria.Term(right)))
}

/// The attribute is greater than the other.
@inlinable @inline(__always) public func > <Root, V, W>(left: FieldKeyPath<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .greater, Root.term(right)))
}

/// The attribute is greater than the function or aggregate.
@inlinable @inline(__always) public func > <Root, V, W>(left: FieldKeyPath<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .greater, right.term))
}

/// The function is greater than the value.
@inlinable @inline(__always) public func > <Root, V>(left: Operand<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .greater, Criteria.Term(right)))
}

/// The field is greater than the value.
@inlinable @inline(__always) public func > <Root, V>(left: Field<V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .greater, Criteria.Term(right)))
}

/// The field is greater than the other.
@inlinable @inline(__always) public func > <Root, V, W>(left: Field<V>, right: Field<W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .greater, right.term))
}

/// The function or aggregate is greater than the attribute.
@inlinable @inline(__always) public func > <Root, V, W>(left: Operand<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .greater, Root.term(right)))
}

/// The function or aggregate is greater than the other.
@inlinable @inline(__always) public func > <Root, V, W>(left: Operand<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .greater, right.term))
}

// MARK: >=

/// The attribute is at least the value: `"x" >= ?`.
@inlinable @inline(__always) public func >= <Root, V>(left: FieldKeyPath<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(Root.term(left), .greaterOrEqual, Criteria.Term(right)))
}

/// The attribute is at least the other.
@inlinable @inline(__always) public func >= <Root, V, W>(left: FieldKeyPath<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .greaterOrEqual, Root.term(right)))
}

/// The attribute is at least the function or aggregate.
@inlinable @inline(__always) public func >= <Root, V, W>(left: FieldKeyPath<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(Root.term(left), .greaterOrEqual, right.term))
}

/// The function is at least the value.
@inlinable @inline(__always) public func >= <Root, V>(left: Operand<Root, V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .greaterOrEqual, Criteria.Term(right)))
}

/// The field is at least the value.
@inlinable @inline(__always) public func >= <Root, V>(left: Field<V>, right: V.Unwrapped) -> Filter<Root> {
  Filter(.compare(left.term, .greaterOrEqual, Criteria.Term(right)))
}

/// The field is at least the other.
@inlinable @inline(__always) public func >= <Root, V, W>(left: Field<V>, right: Field<W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .greaterOrEqual, right.term))
}

/// The function or aggregate is at least the attribute.
@inlinable @inline(__always) public func >= <Root, V, W>(left: Operand<Root, V>, right: FieldKeyPath<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .greaterOrEqual, Root.term(right)))
}

/// The function or aggregate is at least the other.
@inlinable @inline(__always) public func >= <Root, V, W>(left: Operand<Root, V>, right: Operand<Root, W>) -> Filter<Root>
where V.Unwrapped.Compared == W.Unwrapped.Compared {
  Filter(.compare(left.term, .greaterOrEqual, right.term))
}
