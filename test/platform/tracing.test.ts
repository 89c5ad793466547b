import { type Span, type TracerProvider, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createTracing } from '../../src/platform/index.ts';

afterEach(() => trace.disable());

/** A provider that keeps what it was told, in place of an SDK. */
function recordingProvider(): { provider: TracerProvider; told: string[] } {
  const told: string[] = [];
  const span = (name: string): Span =>
    ({
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
      end: () => told.push(`end ${name}`),
      setStatus: () => told.push(`error ${name}`),
      recordException: (error: Error) => told.push(error.message),
    }) as unknown as Span;
  const tracer = {
    startSpan: span,
    startActiveSpan: (name: string, ...rest: unknown[]) => (rest.at(-1) as (span: Span) => unknown)(span(name)),
  };
  return { provider: { getTracer: () => tracer } as unknown as TracerProvider, told };
}

describe('tracing', () => {
  test('is off without a provider, and still runs the work', () => {
    const tracing = createTracing();
    expect(tracing.enabled).toBe(false);
    expect(tracing.span('x', {}, () => 7)).toBe(7);
  });

  test('ends spans of values, promises and failures', async () => {
    const { provider, told } = recordingProvider();
    trace.setGlobalTracerProvider(provider);
    const tracing = createTracing();
    expect(tracing.enabled).toBe(true);
    told.length = 0;
    expect(tracing.span('value', {}, () => 1)).toBe(1);
    expect(
      await tracing.serverSpan(
        'promise',
        () => '',
        {},
        async () => 2,
      ),
    ).toBe(2);
    expect(() =>
      tracing.span('throws', {}, () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    await expect(tracing.span('rejects', {}, () => Promise.reject(new Error('late')))).rejects.toThrow('late');
    expect(told).toEqual([
      'end value',
      'end promise',
      'error throws',
      'broken',
      'end throws',
      'error rejects',
      'late',
      'end rejects',
    ]);
  });
});
