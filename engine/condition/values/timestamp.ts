const SHAPE = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const FOUR_CENTURIES = 146_097 * 86_400_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** The range of CEL's timestamps, to the millisecond: the years 1 to 9999 in UTC. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

/**
 * Reads an RFC 3339 date and time. It is held to the millisecond: what is finer is cut off. A leap second (`:60`) and
 * a day that its month does not have are refused, as Go refuses them; so is a time that is out of range in UTC.
 */
export function parseTimestamp(text: string): Date | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [, fraction, sign, offsetHours = '0', offsetMinutes = '0'] = match;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const milliseconds = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const shift = sign === '-' ? offset : -offset;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; the calendar repeats after 400 years.
  const time = Date.UTC(year + 400, month - 1, day, hour, minute, second, milliseconds) - FOUR_CENTURIES;
  return timestampOf(time + shift);
}

/** Undefined out of the range of a timestamp, and for `NaN`. */
export function timestampOf(time: number): Date | undefined {
  return time >= FIRST_MS && time <= LAST_MS ? new Date(time) : undefined;
}

/** Conditions read timestamps in every check: this costs a third of what `Number` of each part does. */
function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

function daysOf(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}
