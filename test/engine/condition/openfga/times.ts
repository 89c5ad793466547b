import type { Row } from './table.ts';

const both = { t: 'timestamp', d: 'duration' };
const now = { t: '2026-03-02T10:20:30.400Z', d: '36h' };
const last = { t: '9999-12-31T23:59:59.999Z', d: '24h' };
const first = { t: '0001-01-01T00:00:00Z', d: '24h' };
const longest = { t: '2026-01-01T00:00:00Z', d: '2562047h47m16.854775807s' };

/** Timestamps, durations and addresses. */
export const times: readonly Row[] = [
  ['t + d > t', true, both, now],
  ['d + t == t + d', true, both, now],
  ['t - d < t && t - t == duration("0")', true, both, now],
  ['(t + d) - t == d', true, both, now],
  ['d + d == duration("72h") && d - d == duration("0s")', true, both, now],
  ['t + d > t', 'fails', both, last],
  ['d + t > t', 'fails', both, last],
  ['t + d > t || true', true, both, last],
  ['t - d > t', 'fails', both, first],
  ['t - timestamp("0001-01-01T00:00:00Z") > d', 'fails', both, last],
  ['d + duration("1ns") > d', 'fails', both, longest],
  ['d - duration("-1ns") > d', 'fails', both, longest],
  ['duration("0") - d - duration("2ns") < d', 'fails', both, longest],
  ['dyn(t) + dyn(d) > t', 'fails', both, last],
  ['[d].map(e, t + e)[0] > t', 'fails', both, last],
  ['timestamp(253402300799) + duration("1s") > t', 'fails', both, now],
  ['timestamp(253402300800) > t', 'fails', both, now],
  ['duration("9223372037s") > d', 'fails', both, now],
  ['t + t > t', 'refused', both],
  ['d - t > t', 'refused', both],
  ['d * 2 == d', 'refused', both],
  ['-d < d', 'refused', both],
  ['t + 1 > t', 'refused', both],
  ['t == "2026-03-02T10:20:30Z"', 'refused', both],
  ['t.getFullYear() == 2026 && t.getMonth() == 2 && t.getDate() == 2', true, both, now],
  ['t.getDayOfMonth() == 1 && t.getDayOfWeek() == 1 && t.getDayOfYear() == 60', true, both, now],
  ['t.getHours() == 10 && t.getMinutes() == 20 && t.getSeconds() == 30', true, both, now],
  ['t.getMilliseconds() == 400', true, both, now],
  ['t.getHours("Europe/Berlin") == 11 && t.getHours("+02:30") == 12', true, both, now],
  ['t.getHours("Nowhere/Else") == 11', 'fails', both, now],
  ['d.getHours() == 36 && d.getMinutes() == 2160 && d.getSeconds() == 129600', true, both, now],
  ['d.getMilliseconds() == 129600000', true, both, now],
  ['d.getHours("UTC") == 36', 'refused', both],
  ['d.getFullYear() == 1', 'refused', both],
  ['t.getHours() == 10', 'refused', { t: 'string' }],
  ['t in [t]', true, both, now],
  ['{"a": d}.a == d', true, both, now],
  ['t < timestamp("2026-03-02T12:20:30.401+02:00")', true, both, now],
  ['d < duration("36h0m0.000000001s")', true, both, now],
  ['d < t', 'refused', both],
  ['x.in_cidr("192.168.0.0/24")', true, { x: 'ipaddress' }, { x: '192.168.0.1' }],
  ['ipaddress("192.168.0.1").in_cidr("192.168.0.0/24")', true],
  ['x.in_cidr("2001:db8::/32")', true, { x: 'ipaddress' }, { x: '2001:db8::1' }],
  ['x.in_cidr("192.168.0.0")', 'fails', { x: 'ipaddress' }, { x: '192.168.0.1' }],
  ['x.in_cidr(1)', 'refused', { x: 'ipaddress' }],
  ['x == y', true, { x: 'ipaddress', y: 'ipaddress' }, { x: '::1', y: '0:0::1' }],
  ['x < y', 'refused', { x: 'ipaddress', y: 'ipaddress' }],
  ['x in l', true, { x: 'ipaddress', l: 'list<ipaddress>' }, { x: '::1', l: ['::1'] }],
];
