import { describe, expect, test } from 'vitest';
import {
  createMetricsMemory,
  type MetricDefinition,
  openMetrics,
  singleThreadMetrics,
} from '../../src/platform/index.ts';

const definitions: readonly MetricDefinition[] = [
  {
    kind: 'counter',
    name: 'requests_total',
    help: 'Requests.',
    labels: ['route', 'status'],
    series: [
      ['/a', '2xx'],
      ['/a', '4xx'],
      ['/"b"\\', '2xx'],
    ],
  },
  { kind: 'histogram', name: 'duration_seconds', help: 'Time.', buckets: [0.1, 1] },
  { kind: 'gauge', name: 'open_streams', help: 'Streams.', across: 'sum' },
  { kind: 'gauge', name: 'revision', help: 'Revision.', across: 'max' },
];

describe('metrics', () => {
  test('the page of one thread shows what all of them counted', () => {
    const memory = createMetricsMemory(definitions, 2);
    const one = openMetrics(definitions, memory, 0);
    const two = openMetrics(definitions, memory, 1);
    one.counter('requests_total', '/a', '2xx').add();
    two.counter('requests_total', '/a', '2xx').add(2);
    one.counter('requests_total', '/"b"\\', '2xx').add();
    for (const value of [0.05, 0.1, 0.5, 7]) two.histogram('duration_seconds').observe(value);
    one.gauge('open_streams').add(3);
    two.gauge('open_streams').add(1);
    one.gauge('open_streams').add(-1);
    one.gauge('revision').set(41);
    two.gauge('revision').set(40);
    expect(one.text()).toBe(two.text());
    expect(one.text()).toBe(
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        'requests_total{route="/a",status="2xx"} 3',
        'requests_total{route="/\\"b\\"\\\\",status="2xx"} 1',
        '# HELP duration_seconds Time.',
        '# TYPE duration_seconds histogram',
        'duration_seconds_bucket{le="0.1"} 2',
        'duration_seconds_bucket{le="1"} 3',
        'duration_seconds_bucket{le="+Inf"} 4',
        'duration_seconds_sum 7.65',
        'duration_seconds_count 4',
        '# HELP open_streams Streams.',
        '# TYPE open_streams gauge',
        'open_streams 3',
        '# HELP revision Revision.',
        '# TYPE revision gauge',
        'revision 41',
        '',
      ].join('\n'),
    );
  });

  test('what never happened has no line, and what is empty no heading', () => {
    expect(singleThreadMetrics(definitions).text().split('\n')).toEqual([
      '# HELP open_streams Streams.',
      '# TYPE open_streams gauge',
      'open_streams 0',
      '# HELP revision Revision.',
      '# TYPE revision gauge',
      'revision 0',
      '',
    ]);
  });

  test('a series that was not defined, or of another kind, is refused', () => {
    const metrics = singleThreadMetrics(definitions);
    expect(() => metrics.counter('requests_total', '/a', '5xx')).toThrow(RangeError);
    expect(() => metrics.gauge('requests_total', '/a', '2xx')).toThrow(RangeError);
    expect(() => metrics.counter('nothing')).toThrow(RangeError);
  });

  test('memory is not opened by other definitions or by more threads than it has room for', () => {
    const memory = createMetricsMemory(definitions, 1);
    expect(() => openMetrics(definitions.slice(1), memory, 0)).toThrow(/other definitions/);
    expect(() => openMetrics(definitions, memory, 1)).toThrow(/slot/);
  });

  const refused: { name: string; given: MetricDefinition }[] = [
    { name: 'a name that is none', given: { kind: 'counter', name: 'a b', help: '' } },
    { name: 'a missing label', given: { kind: 'counter', name: 'a', help: '', labels: ['x'], series: [[]] } },
    { name: 'a series twice', given: { kind: 'counter', name: 'a', help: '', labels: ['x'], series: [['1'], ['1']] } },
  ];
  test.each(refused)('refuses $name', ({ given }) => {
    expect(() => singleThreadMetrics([given])).toThrow(RangeError);
  });
});
