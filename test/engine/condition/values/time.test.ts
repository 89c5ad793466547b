import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarField } from '../../../../engine/condition/values/calendar.ts';
import { parseDuration } from '../../../../engine/condition/values/duration.ts';
import { parseTimestamp } from '../../../../engine/condition/values/timestamp.ts';

const durations = [
  { text: '0', expect: 0n },
  { text: '-0', expect: 0n },
  { text: '1h', expect: 3_600_000_000_000n },
  { text: '2h45m', expect: 9_900_000_000_000n },
  { text: '-1.5h', expect: -5_400_000_000_000n },
  { text: '+300ms', expect: 300_000_000n },
  { text: '1.s', expect: 1_000_000_000n },
  { text: '.5s', expect: 500_000_000n },
  { text: '1us2µs3μs4ns', expect: 6004n },
  { text: '1.0000000019s', expect: 1_000_000_001n },
  { text: '2562047h47m16.854775807s', expect: 9_223_372_036_854_775_807n },
  { text: '-2562047h47m16.854775808s', expect: -9_223_372_036_854_775_808n },
];

describe('durations', () => {
  it.each(durations)('$text', ({ text, expect: wanted }) => {
    const duration = parseDuration(text);
    expect(duration?.nanoseconds).toBe(wanted);
  });

  const malformed = [
    '',
    '-',
    '1',
    'h',
    '1d',
    '1h ',
    ' 1h',
    '1h-1m',
    '--1h',
    '1..5h',
    '.h',
    '1H',
    '2562047h47m16.854775808s',
    `${'9'.repeat(60)}h`,
  ];
  it.each([...malformed, '1'.repeat(100_000), '1s'.repeat(50_000)])('refuses %s', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

const timestamps = [
  { text: '1970-01-01T00:00:00Z', expect: 0 },
  { text: '2023-10-11T10:00:00.123Z', expect: Date.UTC(2023, 9, 11, 10, 0, 0, 123) },
  { text: '2023-10-11T10:00:00.123999999Z', expect: Date.UTC(2023, 9, 11, 10, 0, 0, 123) },
  { text: '2023-10-11t10:00:00.1z', expect: Date.UTC(2023, 9, 11, 10, 0, 0, 100) },
  { text: '2023-10-11T10:00:00+05:30', expect: Date.UTC(2023, 9, 11, 4, 30) },
  { text: '2023-12-31T23:30:00-01:00', expect: Date.UTC(2024, 0, 1, 0, 30) },
  { text: '2024-02-29T00:00:00Z', expect: Date.UTC(2024, 1, 29) },
  { text: '0001-01-01T00:00:00Z', expect: -62_135_596_800_000 },
  { text: '9999-12-31T23:59:59.999999999Z', expect: 253_402_300_799_999 },
  { text: '9999-12-31T23:59:59Z', expect: 253_402_300_799_000 },
];

describe('timestamps', () => {
  it.each(timestamps)('$text', ({ text, expect: wanted }) => {
    expect(parseTimestamp(text)?.getTime()).toBe(wanted);
  });

  const malformed = [
    '',
    '2023-10-11',
    '2023-10-11T10:00:00',
    '2023-10-11 10:00:00Z',
    '2023-02-29T00:00:00Z',
    '2023-13-01T00:00:00Z',
  ];
  const moreMalformed = [
    '2023-10-11T24:00:00Z',
    '2023-10-11T10:60:00Z',
    '2023-06-30T23:59:60Z',
    '2023-10-11T10:00:00+24:00',
    '2023-10-11T10:00:00.Z',
    '0000-02-29T00:00:00+00:00',
  ];
  it.each([...malformed, ...moreMalformed, '2023-10-11T10:00:00Z ', '+2023-10-11T10:00:00Z', '1700000000'])(
    'refuses %s',
    (text) => {
      expect(parseTimestamp(text)).toBeUndefined();
    },
  );

  it('read what a date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseTimestamp(date.toISOString())?.getTime()).toBe(date.getTime());
        },
      ),
    );
  });
});

const fields = [
  { field: 'getFullYear', zone: undefined, expect: 2023n },
  { field: 'getMonth', zone: undefined, expect: 11n },
  { field: 'getDate', zone: undefined, expect: 31n },
  { field: 'getDayOfMonth', zone: undefined, expect: 30n },
  { field: 'getDayOfWeek', zone: undefined, expect: 0n },
  { field: 'getDayOfYear', zone: undefined, expect: 364n },
  { field: 'getHours', zone: undefined, expect: 23n },
  { field: 'getMilliseconds', zone: undefined, expect: 7n },
  { field: 'getFullYear', zone: 'Asia/Tokyo', expect: 2024n },
  { field: 'getDayOfYear', zone: 'Asia/Tokyo', expect: 0n },
  { field: 'getHours', zone: 'Asia/Tokyo', expect: 8n },
  { field: 'getMinutes', zone: 'Asia/Kolkata', expect: 0n },
  { field: 'getMilliseconds', zone: 'Asia/Kolkata', expect: 7n },
  { field: 'getMonth', zone: '+01:00', expect: 0n },
  { field: 'getHours', zone: '-08:00', expect: 15n },
  { field: 'getHours', zone: '00:45', expect: 0n },
] as const;

describe('calendar fields', () => {
  it.each(fields)('$field in $zone', ({ field, zone, expect: wanted }) => {
    expect(calendarField(new Date('2023-12-31T23:30:59.007Z'), field, zone)).toBe(wanted);
  });

  it('refuse an unknown zone', () => {
    expect(() => calendarField(new Date(0), 'getHours', 'Nowhere/Else')).toThrow(RangeError);
  });
});
