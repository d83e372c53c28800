#if Tracing
  import Tracing

  /// Makes a span of each statement, as a child of the span of the task that made the call. Names and attributes are those of
  /// OpenTelemetry's semantic conventions for databases (opentelemetry.io/docs/specs/semconv/database/database-spans).
  struct StatementSpans: Sendable {
    let store: String

    @Sendable func note(_ statement: StatementTrace) {
      let end = DefaultTracerClock.now.nanosecondsSinceEpoch
      let (seconds, attoseconds) = statement.duration.components
      let start = end - UInt64(seconds) * 1_000_000_000 - UInt64(attoseconds / 1_000_000_000)
      let operation = statement.sql.drop { !$0.isLetter }.prefix { $0.isLetter }.uppercased()
      let instant = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end)
      let span = InstrumentationSystem.tracer.startSpan(
        operation, context: ServiceContext.current ?? .topLevel, ofKind: .client,
        at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: start))
      span.updateAttributes { attributes in
        attributes["db.system.name"] = "sqlite"
        attributes["db.namespace"] = store
        attributes["db.operation.name"] = operation
        attributes["db.query.text"] = statement.sql
        if let count = statement.rowCount, ["SELECT", "WITH", "VALUES"].contains(operation) {
          attributes["db.response.returned_rows"] = count
        }
      }
      if let code = statement.errorCode, let error = statement.error {
        span.updateAttributes { attributes in
          attributes["db.response.status_code"] = "\(code)"
          attributes["error.type"] = "\(code)"
        }
        span.recordError(error, attributes: [:], at: instant)
        span.setStatus(SpanStatus(code: .error))
      }
      span.end(at: instant)
    }
  }

  extension CallCarrier {
    /// Takes the span of the calling task along.
    static let spans = CallCarrier {
      let context = ServiceContext.current
      return { body in if let context { ServiceContext.$current.withValue(context, operation: body) } else { body() } }
    }
  }
#endif
