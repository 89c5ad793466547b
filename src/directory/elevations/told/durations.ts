import type { Texts } from '../../../texts/index.ts';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The largest unit and the one after it; nothing where it is less than a second. */
function parts(seconds: number) {
  const largest = units.findIndex(([, length]) => seconds >= length);
  const shown = units.slice(largest, largest + 2);
  let rest = seconds;
  return shown.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [{ count, unit }];
  });
}

/** `5 minutes`, `1 Stunde 30 Minuten`: the largest unit and the one after it. */
export function durationIn(t: Texts, seconds: number): string {
  const found = parts(seconds);
  const shown = found.length === 0 ? [{ count: 0, unit: 'second' as const }] : found;
  return shown
    .map(({ count, unit }) => new Intl.NumberFormat(t.tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    .join(' ');
}

/** How long it is until a time, with no more precision than helps: seconds only in the last minute. */
export function secondsLeft(until: number, now: number): number {
  const seconds = Math.max(0, Math.floor((until - now) / 1000));
  return seconds < 60 ? seconds : seconds - (seconds % 60);
}
