import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Reads a header of the incoming request, `''` where absent. */
export type HeaderReader = (name: string) => string;

/**
 * Spans through the OpenTelemetry API. Whether a provider is registered is asked once, when this is made: without one
 * `enabled` is false and callers skip it, so that a decision pays nothing for traces that nobody collects.
 */
export interface Tracing {
  readonly enabled: boolean;
  /** Runs `work` in a server span that continues the caller's trace (W3C `traceparent`). */
  serverSpan<T>(name: string, header: HeaderReader, attributes: Attributes, work: (span: Span) => T): T;
  /** Runs `work` in an internal span below the current one. Errors and rejections mark the span. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => T): T;
}

const getter = {
  keys: () => ['traceparent', 'tracestate'],
  get: (header: HeaderReader, name: string) => header(name) || undefined,
};

export function createTracing(): Tracing {
  const tracer = trace.getTracer('relata');
  return {
    enabled: hasProvider(tracer),
    serverSpan(name, header, attributes, work) {
      const parent = propagation.extract(context.active(), header, getter);
      const options = { kind: SpanKind.SERVER, attributes };
      return tracer.startActiveSpan(name, options, parent, (span) => runIn(span, work));
    },
    span(name, attributes, work) {
      return tracer.startActiveSpan(name, { attributes }, (span) => runIn(span, work));
    },
  };
}

/** Only the span of a real provider, sampled or not, has a valid id. */
function hasProvider(tracer: Tracer): boolean {
  const probe = tracer.startSpan('start');
  probe.end();
  return isSpanContextValid(probe.spanContext());
}

function runIn<T>(span: Span, work: (span: Span) => T): T {
  let result: T;
  try {
    result = work(span);
  } catch (error) {
    fail(span, error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  return result.then(
    (value) => {
      span.end();
      return value;
    },
    (error) => {
      fail(span, error);
      throw error;
    },
  ) as T;
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.recordException(error instanceof Error ? error : new Error('not an error object'));
  span.end();
}
