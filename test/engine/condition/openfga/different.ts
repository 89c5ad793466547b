import type { Row, Verdict } from './table.ts';

/** What both take and decide differently: the document on conditions names each, under "Differences". */
export const different: readonly (readonly [openFga: Verdict, ours: Row])[] = [
  [true, ['{[1]: "a"}.size() == 1', 'fails']],
  [true, ['{1.0: "a"}.size() == 1', 'fails']],
  [true, ['{x: "a"}.size() == 1', 'fails', { x: 'any' }, { x: 1 }]],
  [false, ['{1: "a", 1u: "b"}.size() == 1', true]],
  ['fails', ['dyn(x) == "::1"', false, { x: 'ipaddress' }, { x: '::1' }]],
  ['fails', ['x.matches("a(?=b)")', 'refused', { x: 'string' }, { x: 'ab' }]],
  [true, ['google.protobuf.Duration{seconds: 10} == duration("10s")', 'refused']],
  [true, ['google.protobuf.NullValue.NULL_VALUE == 0', 'refused']],
  [true, ['timestamp("2026-03-02T10:00:00.1239Z") > timestamp("2026-03-02T10:00:00.123Z")', false]],
  [false, ['string(t) == "2026-03-02T10:00:00Z"', true, { t: 'timestamp' }, { t: '2026-03-02T12:00:00+02:00' }]],
  ['fails', ['timestamp("2026-03-02t10:00:00z") > timestamp(0)', true]],
  ['fails', ['timestamp(0).getHours("europe/berlin") == 1', true]],
  [false, ['ipaddress("fe80::1%eth0").in_cidr("fe80::/10")', 'fails']],
  [true, ['double("1_000") == 1000.0', 'fails']],
];
