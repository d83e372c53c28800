/// Runs a body in which the functions without `await` are chosen.
@discardableResult
func syncly<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
