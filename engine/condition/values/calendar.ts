import { BoundedMap } from '../../bounded-map.ts';

/** The fields that CEL reads from a timestamp, each counted as the CEL specification counts it. */
export type CalendarField =
  | 'getFullYear'
  | 'getMonth'
  | 'getDate'
  | 'getDayOfMonth'
  | 'getDayOfWeek'
  | 'getDayOfYear'
  | 'getHours'
  | 'getMinutes'
  | 'getSeconds'
  | 'getMilliseconds';

const OFFSET = /^([+-]?)(\d{1,2}):(\d{1,2})$/;
const OFFSET_HOURS_MAX = 23;
const OFFSET_MINUTES_MAX = 59;
const DAY = 86_400_000;
const FORMATTERS_MAX = 64;
const formatters = new BoundedMap<string, Intl.DateTimeFormat>(FORMATTERS_MAX);

/**
 * Reads one field in UTC or in a time zone: an IANA name (`Europe/Berlin`) or an offset (`+02:00`). Throws on an
 * unknown zone.
 */
export function calendarField(instant: Date, field: CalendarField, zone: string | undefined): bigint {
  return BigInt(READERS[field](zone === undefined || zone === '' ? instant : shifted(instant, zone)));
}

const READERS: Readonly<Record<CalendarField, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - new Date(date).setUTCMonth(0, 1)) / DAY),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

/** A date whose UTC fields are the wall clock of the zone. */
function shifted(instant: Date, zone: string): Date {
  const offset = OFFSET.exec(zone);
  if (offset !== null) {
    const [hours, rest] = [Number(offset[2]), Number(offset[3])];
    if (hours > OFFSET_HOURS_MAX || rest > OFFSET_MINUTES_MAX) throw new RangeError('unknown time zone');
    const minutes = hours * 60 + rest;
    return new Date(instant.getTime() + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  const fields = new Map(
    formatter(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const read = (name: Intl.DateTimeFormatPartTypes): number => Number(fields.get(name) ?? 0);
  const year = fields.get('era')?.startsWith('B') ? 1 - read('year') : read('year');
  const date = new Date(0);
  date.setUTCFullYear(year, read('month') - 1, read('day'));
  date.setUTCHours(read('hour'), read('minute'), read('second'), instant.getUTCMilliseconds());
  return date;
}

/** A formatter takes 50 µs to make; the names come from callers, so that few are kept. */
function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    // of the calendars of Intl, this one alone is proleptic: others have Julian dates before 1582
    calendar: 'gregory',
    era: 'short',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}
